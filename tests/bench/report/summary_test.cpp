// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The end of the screen: the answer, and no error may hide behind it.
#include "described_device.hpp"
#include "screen.hpp"
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/io/text_table.hpp>
#include <ado/bench/run/kernel_lines.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <regex>
#include <sstream>

namespace ado::bench {
namespace {

class Summary : public testing::Test {
protected:
  Summary() {
    results_.device = &device_;
    results_.ceilings = {1e12, 1e12, 1e12, 1e13, 1e13, 1e-6};
  }
  /// A row of yax whose portable times are the native ones times `ratio`, with a little noise.
  RowResult& add(const std::string& name, double ratio, Shape shape = {100, 67, 1},
                 std::size_t runs = 20) {
    RowResult row{.problem = {find_algorithm("yax"), shape, Type::f64}, .name = name};
    row.portable.variant = find_variant("yax", "kokkos", name, device_.backend);
    row.native.variant = find_variant("yax", "openmp", "team", "");
    std::uniform_real_distribution<double> noise(0.9999, 1.0001);
    for (std::size_t k = 0; k < runs; ++k) {
      row.native.seconds.push_back(0.001 * noise(generator_));
      row.portable.seconds.push_back(row.native.seconds.back() * ratio * noise(generator_));
    }
    for (Measurement* m : {&row.portable, &row.native}) {
      m->ran = true;
      m->host_seconds = m->seconds;
    }
    results_.rows.push_back(row);
    return results_.rows.back();
  }
  const KernelLines* kernel_lines_of(std::string_view algorithm, std::string_view name) {
    return kernel_lines(*find_variant(algorithm, "kokkos", name, device_.backend));
  }
  /// The text behind the time of the only algorithm.
  std::string lines_of(std::string_view algorithm, std::string_view name) {
    const KernelLines& lines = *kernel_lines_of(algorithm, name);
    return "; " + std::to_string(lines.all) + " lines, " + lines.share_text() +
           " for one backend\n";
  }
  /// The printed text, with wrapped lines joined. All lines fit the screen.
  std::string unwrapped() const {
    std::ostringstream out;
    print_summary(out, results_);
    std::istringstream in(out.str());
    for (std::string line; std::getline(in, line);)
      EXPECT_LE(line.size(), screen_columns) << line;
    return std::regex_replace(summary(), std::regex("\n "), " ");
  }
  /// The printed text, with runs of spaces collapsed.
  std::string summary() const {
    std::ostringstream out;
    print_summary(out, results_);
    std::string text = out.str();
    text.erase(
        std::unique(text.begin(), text.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
        text.end());
    return text;
  }
  /// The last line of the screen.
  std::string answer() const {
    const std::string text = summary();
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
  }
  static bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
  }
  DescribedDevice device_{2, 1 << 20, std::size_t{1} << 30};
  Results results_;
  std::mt19937_64 generator_{1};
};

/// --max-ratio holds for the best variant, not for a rung; sure of it, or not.
TEST_F(Summary, ALimitOfTheRatioIsAnExitStatus) {
  add("row_per_team", 3);
  add("tuned", 1.05);
  EXPECT_EQ(ratio_status(results_), 0) << "nothing was asked";
  results_.max_ratio = 1.1;
  EXPECT_EQ(ratio_status(results_), 0);
  EXPECT_FALSE(contains(summary(), "--max-ratio")) << summary();
  results_.max_ratio = 1.04;
  EXPECT_EQ(ratio_status(results_), 4);
  EXPECT_TRUE(contains(summary(), "\nabove --max-ratio 1.04:\n yax f64: rows 100 x cols 67\n"))
      << summary();
  results_.max_ratio = 1.05; // inside the interval
  EXPECT_EQ(ratio_status(results_), 5);
  EXPECT_TRUE(contains(summary(), "\nnot sure to be below --max-ratio 1.05:\n yax f64"))
      << summary();
  add("tuned", 1.2, {200, 67, 1});
  EXPECT_EQ(ratio_status(results_), 4) << "one that is surely above comes first";
  results_.rows.clear();
  EXPECT_EQ(ratio_status(results_), 5) << "nothing was compared";
  EXPECT_TRUE(contains(summary(), "--max-ratio 1.05: nothing was compared")) << summary();
}

TEST_F(Summary, TheBestVariantAnswersNotTheFastestRow) {
  add("row_per_thread", 26.5);
  add("row_per_team", 0.5);
  add("tuned", 1.023);
  EXPECT_TRUE(
      contains(answer(), "Kokkos costs 2.3 % here, the best variants on average (2.3 % to 2.3 %)."))
      << summary();
  EXPECT_TRUE(contains(summary(), "\nyax f64 tuned 1.023 1.023-1.023 slower\n")) << summary();
  EXPECT_FALSE(contains(summary(), "26.5"));
  EXPECT_TRUE(contains(summary(), "6 of 6 results verified\n")) << summary();
}

/// Then they differ only in how they start the kernel.
TEST_F(Summary, TwoVariantsOfOneKernelAreSaidToBe) {
  static Variant twin = *find_variant("yax", "openmp", "team", "");
  twin.shared_kernel = "detail/host_rows.hpp";
  add("tuned", 1.023).native.variant = &twin;
  EXPECT_TRUE(contains(ado::bench::unwrapped(summary()),
                       "yax: both run the kernel of detail/host_rows.hpp, so the ratio "
                       "is that of what is around it. "))
      << summary();
  results_.rows.clear();
  RowResult& rung = add("row_per_thread", 1.5);
  rung.native.variant = &twin;
  EXPECT_EQ(shared_kernel(rung), "") << "another rung has a kernel of its own";
  RowResult& one_source = add("team", 1.02);
  one_source.native.variant = &twin;
  EXPECT_EQ(shared_kernel(one_source), "") << "it has no kernel of a backend";
  EXPECT_FALSE(contains(summary(), "run the kernel"));
  results_.rows.clear();
  add("tuned", 1.023);
  EXPECT_FALSE(contains(summary(), "run the kernel")) << "neither has yax";
}

/// A shared kernel says nothing about the cost of Kokkos, so the mean covers the other rows.
TEST_F(Summary, AKernelThatBothRunIsLeftOutOfTheMean) {
  static Variant twin = *find_variant("yax", "openmp", "team", "");
  twin.shared_kernel = "detail/host_rows.hpp";
  add("plain", 2.5);
  add("tuned", 1.5);
  add("tuned", 1.023, {200, 67, 1}).native.variant = &twin;
  EXPECT_TRUE(contains(summary(), "\ngeometric mean 2.50 - 1.500")) << summary();
  EXPECT_TRUE(contains(unwrapped(),
                       "\ntuned 1.500 times the best by hand (1.500 to 1.500); without "
                       "yax, where both run one kernel; kernels for each backend"))
      << unwrapped();
  results_.rows[1].native.variant = &twin;
  EXPECT_TRUE(contains(summary(), "\ngeometric mean 2.50 - 1.239")) << summary();
  EXPECT_TRUE(contains(unwrapped(), "; of yax, where both run one kernel; kernels")) << unwrapped();
  results_.rows[1].native.variant =
      results_.rows[0].native.variant; // the other one, which is wrong
  results_.rows[1].portable.seconds.clear();
  EXPECT_TRUE(contains(summary(), "\ngeometric mean 2.50 - 1.023")) << summary();
}

/// Kokkos as its guide teaches it, as one source, and with kernels per backend: each over the best
/// by hand.
TEST_F(Summary, ThreeLinesSayWhatEachWayToWriteKokkosCosts) {
  add("row_per_team", 0.5);
  add("plain", 2.5);
  add("team", 1.04);
  add("tuned", 1);
  add("plain", 1.764, {200, 67, 1});
  add("tuned", 1, {200, 67, 1});
  const std::string text = unwrapped();
  EXPECT_TRUE(contains(text, "\ntime over the best by hand plain team tuned\n")) << text;
  EXPECT_TRUE(contains(text, "\nyax f64, 100 x 67 2.50 1.040 1.000")) << text;
  EXPECT_TRUE(contains(text, "\nyax f64, 200 x 67 1.764 - 1.000")) << text;
  EXPECT_TRUE(contains(text, "\ngeometric mean 2.10 1.040 1.000")) << text;
  EXPECT_TRUE(text.ends_with(
      "\nplain 2.10 times the best by hand (2.10 to 2.10); as Kokkos' guide teaches it" +
      lines_of("yax", "plain") +
      "team 1.040 times the best by hand (1.040 to 1.040); one source for all backends" +
      lines_of("yax", "team") +
      "tuned 1.000 times the best by hand (1.000 to 1.000); kernels for each backend" +
      lines_of("yax", "tuned")))
      << text;
}

/// A ratio of 2.5 from three runs is in doubt, however far from 1.
TEST_F(Summary, InColourAnAnswerIsBoldAndADoubtYellow) {
  add("plain", 2.5, {100, 67, 1}, 3);
  add("tuned", 1);
  std::ostringstream plain, coloured;
  print_summary(plain, results_);
  print_summary(coloured, results_, true);
  EXPECT_TRUE(contains(coloured.str(), "\n\033[33mplain    no answer")) << coloured.str();
  EXPECT_TRUE(contains(coloured.str(), "\n\033[1mtuned    1.000 times")) << coloured.str();
  EXPECT_TRUE(coloured.str().ends_with("\n\033[m")) << coloured.str();
  EXPECT_EQ(std::regex_replace(coloured.str(), std::regex("\033\\[[0-9]*m"), ""), plain.str());
}

/// The doubt comes first, without a mean; the other lines stay.
TEST_F(Summary, AWayWithTooFewRunsHasNoAnswerAndItsLines) {
  add("plain", 2.5, {100, 67, 1}, 3);
  add("tuned", 1);
  add("plain", 2.5, {200, 67, 1}, 3).portable.seconds.clear();
  EXPECT_TRUE(contains(unwrapped(),
                       "\nplain no answer, for runs are too few; try --timeout 30; 1 of 2 problems "
                       "could not be compared; as Kokkos' guide teaches it" +
                           lines_of("yax", "plain")))
      << unwrapped();
}

/// The mean over two algorithms, however many problems each has.
TEST_F(Summary, LinesOfKernelsAreThoseOfTheAlgorithmsThatRan) {
  for (const Shape& shape : {Shape{100, 67, 1}, Shape{200, 67, 1}})
    for (const char* way : {"plain", "team"})
      add(way, 1.04, shape);
  for (const char* way : {"plain", "team"}) {
    RowResult& row = add(way, 1.04);
    row.problem.algorithm = find_algorithm("average");
    row.portable.variant = find_variant("average", "kokkos", way, device_.backend);
    row.native.variant = find_variant("average", "openmp", "team", "");
  }
  const KernelLines* const yax = kernel_lines_of("yax", "team");
  const KernelLines* const average = kernel_lines_of("average", "team");
  const KernelLines both{"", "", yax->all + average->all,
                         yax->of_one_backend + average->of_one_backend};
  EXPECT_TRUE(contains(unwrapped(), "; " + std::to_string((both.all + 1) / 2) +
                                        " lines a kernel, " + both.share_text() +
                                        " for one backend\ntuned"))
      << unwrapped();
}

/// A kernel written once has a smaller share of backend-specific lines; uncounted kernels have no
/// figures.
TEST_F(Summary, TheWaysToWriteKokkosHaveTheirLines) {
  for (const Algorithm& algorithm : algorithms()) {
    if (algorithm.tuned.empty()) continue;
    const KernelLines* const plain = kernel_lines_of(algorithm.name, "plain");
    const KernelLines* const team = kernel_lines_of(algorithm.name, "team");
    const KernelLines* const tuned = kernel_lines_of(algorithm.name, "tuned");
    ASSERT_TRUE(plain != nullptr && team != nullptr && tuned != nullptr) << algorithm.name;
    EXPECT_GT(plain->all, 5) << algorithm.name;
    EXPECT_GT(team->all, plain->all) << algorithm.name;
    EXPECT_LE(plain->of_one_backend, plain->all / 10) << algorithm.name;
    EXPECT_LT(double(team->of_one_backend) / team->all, double(tuned->of_one_backend) / tuned->all)
        << algorithm.name;
    EXPECT_LE(tuned->of_one_backend, tuned->all) << algorithm.name;
  }
  EXPECT_EQ(kernel_lines(*find_variant("yax", "openmp", "team", "")), nullptr);
  EXPECT_EQ(kernel_lines_of("yax", "row_per_team"), nullptr);
  EXPECT_EQ((KernelLines{"", "", 200, 31}).share_text(), "16 %");
}

TEST_F(Summary, AWayThatIsWrongOrWasNotRunHasNoFigure) {
  add("plain", 2.1);
  add("team", 1.04).portable.seconds.clear();
  EXPECT_TRUE(contains(summary(), "\nyax f64 2.10 - -")) << summary();
  EXPECT_TRUE(contains(unwrapped(), "\nteam no answer; one source for all backends" +
                                        lines_of("yax", "team") +
                                        "tuned not run; kernels for each backend\n"))
      << unwrapped();
  results_.rows.erase(results_.rows.begin()); // a single way is compared as before
  EXPECT_FALSE(contains(summary(), "one source")) << summary();
}

TEST_F(Summary, WithoutTheBestOneTheFastestTwinAnswers) {
  static Variant per_team = *find_variant("yax", "openmp", "team", ""), per_vector = per_team;
  per_team.name = "row_per_team";
  per_vector.name = "row_per_vector";
  add("row_per_thread", 0.5); // beside openmp/team
  add("row_per_team", 0.8).native.variant = &per_team;
  add("row_per_vector", 2.5).native.variant = &per_vector;
  EXPECT_EQ(answer(), "Kokkos is 20.0 % faster here, the twins on average (20.0 % to 20.0 %).\n");
  EXPECT_TRUE(contains(summary(), "\nproblem variant /native")) << summary();
  EXPECT_TRUE(contains(summary(), "\nyax f64 row_per_team 0.800 0.800-0.800 faster\n"));
}

/// On a host, a rung without a twin runs beside the best hand-written variant. That ratio is no
/// cost of Kokkos, and no limit applies to it.
TEST_F(Summary, ARungBesideAnotherRungSaysNothingOfKokkos) {
  add("row_per_thread", 12.69);
  results_.max_ratio = 1.1;
  EXPECT_EQ(ratio_status(results_), 5);
  EXPECT_TRUE(contains(summary(), "--max-ratio 1.1: nothing was compared with its twin\n"));
  results_.max_ratio.reset();
  const std::string one =
      "\n\nyax f64: no twins, so a ratio is the cost of the rung, not of Kokkos:\n"
      "here row_per_thread took 12.7 times as long as openmp/team.\n"
      "--variant plain,team,tuned tells what Kokkos costs.\n";
  EXPECT_TRUE(summary().ends_with(one)) << summary();
  add("row_per_team", 0.8);
  EXPECT_TRUE(contains(summary(), "\nhere row_per_team, the fastest,\ntook 0.800 times as long as "
                                  "openmp/team.\n"))
      << summary();
  add("row_per_team", 2, {200, 67, 1});
  const std::string two = "\n2 problems: no twins, so a ratio is the cost of the rung";
  EXPECT_TRUE(contains(summary(), two)) << summary();
  add("tuned", 1.5, {300, 67, 1});
  EXPECT_TRUE(contains(summary(), two)) << summary();
  EXPECT_EQ(answer(),
            "Kokkos costs 50.0 % here, the best variants on average (50.0 % to 50.0 %).\n");
  results_.max_ratio = 1.6;
  EXPECT_EQ(ratio_status(results_), 0) << "of those that compare twins";
}

TEST_F(Summary, AFormAloneIsACostOfKokkos) {
  add("plain", 12.69);
  EXPECT_TRUE(contains(summary(), "\nyax f64: a ratio is the cost of Kokkos written so:\n"
                                  "here plain took 12.7 times as long as openmp/team.\n"))
      << summary();
  add("row_per_thread", 20, {200, 67, 1});
  EXPECT_TRUE(contains(summary(), "\n2 problems: no twins, so")) << summary();
}

TEST_F(Summary, ARungThatFailedBesideAnotherIsNotCompared) {
  RowResult& row = add("row_per_thread", 1);
  row.portable.failure = "WRONG: planted";
  row.portable.seconds.clear();
  EXPECT_TRUE(contains(summary(), "\nhere row_per_thread was not compared.\n")) << summary();
}

TEST_F(Summary, WithinOnePerCentKokkosCostsNothing) {
  add("tuned", 1.002);
  EXPECT_EQ(answer(),
            "Kokkos costs nothing here: the best variants are within 1 % of the native ones.\n");
}

TEST_F(Summary, SeveralProblemsHaveAGeometricMean) {
  add("tuned", 1.5, {100, 67, 1});
  add("tuned", 2 / 1.5, {67, 100, 1});
  EXPECT_TRUE(contains(summary(), "\nyax f64, 100 x 67 ")) << summary();
  EXPECT_TRUE(contains(summary(), "\nyax f64, 67 x 100 ")) << summary();
  EXPECT_TRUE(contains(summary(), "\ngeometric mean 1.414 1.414-1.414")) << summary();
  EXPECT_TRUE(contains(answer(), "Kokkos costs 41.4 % here")) << answer();
}

TEST_F(Summary, FewRunsDecideNothing) {
  add("tuned", 1.25, {100, 67, 1}, 5);
  EXPECT_EQ(answer(),
            "The best variants took 25.0 % more time with Kokkos; too few runs to be sure.\n");
  EXPECT_TRUE(contains(summary(), "1 of 1 ratio undecided (?)")) << summary();
}

/// Three runs show where a rung stands, but not what Kokkos costs.
TEST_F(Summary, ABriefRungDoesNotAnswer) {
  RowResult& row = add("row_per_thread", 4, {100, 67, 1}, 3);
  row.brief = true;
  EXPECT_FALSE(contains(summary(), "Kokkos")) << summary();
  EXPECT_FALSE(contains(summary(), "undecided")) << summary();
  add("tuned", 1);
  EXPECT_TRUE(contains(answer(), "within 1 % of the native ones")) << answer();
}

TEST(BriefRow, IsPlainWhereAllPairsAgreeByATenth) {
  RowResult row{.problem = {find_algorithm("yax"), {3, 5, 1}, Type::f64}, .name = "flat"};
  const auto plain = [&](std::vector<double> portable) {
    row.portable.seconds = std::move(portable);
    row.native.seconds.assign(row.portable.seconds.size(), 1);
    return all_agree(row);
  };
  EXPECT_TRUE(plain({1.2, 1.3, 1.11}));
  EXPECT_FALSE(plain({1.2, 1.3, 1.09}));
  EXPECT_TRUE(plain({0.8, 0.9, 0.5}));
  EXPECT_FALSE(plain({0.8, 1.3, 1.2}));
  EXPECT_TRUE(plain({14}));
  EXPECT_FALSE(plain({}));
}

/// For two problems with equally wide intervals the mean's interval is narrower by the root of two.
TEST(GeometricMean, HasTheErrorOfIndependentProblems) {
  const RowResult row{.problem = {find_algorithm("yax"), {3, 5, 1}, Type::f64}, .name = "team"};
  const double width = 1.02;
  const Answer two{&row, Ratio{2, 2 / width, 2 * width}},
      half{&row, Ratio{0.5, 0.5 / width, 0.5 * width}};
  const Ratio mean = geometric_mean({two, half});
  EXPECT_NEAR(mean.value, 1, 1e-12);
  EXPECT_NEAR(mean.high, std::pow(width, 1 / std::sqrt(2)), 1e-12);
  EXPECT_NEAR(mean.low, std::pow(width, -1 / std::sqrt(2)), 1e-12);
  EXPECT_FALSE(geometric_mean({two, Answer{&row, Ratio{0.5}}}).has_interval());
}

TEST_F(Summary, AWideIntervalIsUndecided) {
  RowResult& row = add("tuned", 1);
  for (std::size_t k = 0; k < row.portable.seconds.size(); ++k)
    row.portable.seconds[k] *= k % 2 == 0 ? 0.8 : 1.25;
  EXPECT_EQ(answer(),
            "The best variants take 24.9 % less to 33.1 % more time with Kokkos: undecided.\n");
}

TEST_F(Summary, AnIntervalThatLeavesEverythingOpenHasNoFigures) {
  RowResult& row = add("tuned", 1);
  for (std::size_t k = 0; k < row.portable.seconds.size(); ++k)
    row.portable.seconds[k] *= k < 10 ? 8 : 0.125; // a lasting disturbance
  EXPECT_TRUE(contains(answer(), "time with Kokkos; too noisy to be sure.")) << answer();
  EXPECT_TRUE(contains(summary(), "yax f64 tuned 1.000? too noisy undecided")) << summary();
}

TEST_F(Summary, AWrongBestIsNotReplacedByAnother) {
  add("row_per_team", 1.001, {100, 67, 1});
  add("tuned", 1, {100, 67, 1});
  add("tuned", 1.5, {67, 100, 1});
  results_.rows[1].portable.failure = "WRONG: [0][0] is 1";
  results_.rows[1].portable.seconds.clear();
  EXPECT_TRUE(contains(summary(),
                       "\nThis went wrong:\n yax f64: rows 100 x cols 67, tuned: kokkos/tuned: "
                       "WRONG: [0][0] is 1\n5 of 6 results verified\n"))
      << summary();
  EXPECT_TRUE(contains(summary(), "\nyax f64, 100 x 67 tuned - WRONG\n")) << summary();
  EXPECT_TRUE(contains(
      summary(), "\nKokkos costs 50.0 % here, the best variants on average (50.0 % to 50.0 %);\n"
                 "1 of 2 problems could not be compared.\n"))
      << summary();
  results_.rows.resize(2);
  EXPECT_EQ(answer(), "No answer: 1 of 1 problems could not be compared.\n");
}

TEST_F(Summary, AWrongNativeTwinIsNamedToo) {
  RowResult& row = add("tuned", 1);
  row.native.failure = "WRONG: planted";
  row.native.seconds.clear();
  EXPECT_TRUE(contains(summary(), ", tuned: openmp/team: WRONG: planted\n1 of 2 results verified"))
      << summary();
}

TEST_F(Summary, ManyFailuresAreCounted) {
  for (int k = 0; k < 13; ++k) {
    RowResult& row = add("tuned", 1, {100 + std::size_t(k), 67, 1});
    row.native.failure = "out of memory";
    row.native.ran = false;
    row.native.seconds.clear();
  }
  EXPECT_TRUE(contains(summary(), "\n and 3 more, see the table\n")) << summary();
}

TEST_F(Summary, ManyProblemsAreALineAnAlgorithm) {
  for (std::size_t k = 0; k < 20; ++k)
    add("tuned", k == 3 ? 1.5 : k == 4 ? 0.5 : 1, {100 + k, 67, 1});
  EXPECT_TRUE(contains(summary(), "\nyax f64 20 20 0.986 0.500 1.500\n")) << summary();
}

TEST_F(Summary, OneModelAloneHasNoAnswer) {
  add("tuned", 1);
  results_.rows[0].native = {};
  EXPECT_EQ(summary(), "\n1 of 1 results verified\n");
}

/// How far a cache exceeds memory says nothing about a kernel.
TEST_F(Summary, AShareFarBeyondTheCeilingIsOfTheCache) {
  RowResult& row = add("tuned", 1);
  const auto share = [&](double of_ceiling) {
    const double bytes = row.traffic().bytes();
    results_.ceilings = {bytes / 0.001 / of_ceiling, 1e12, 1e12, 1e13, 1e13, 1e-6};
    const std::string screen = screen_of(results_);
    return screen.substr(screen.find("\ntuned"), 90);
  };
  EXPECT_TRUE(contains(share(15.6), " cached! ")) << share(15.6);
  EXPECT_TRUE(contains(share(1.5), " 1.50! ")) << share(1.5);
  EXPECT_TRUE(contains(share(0.5), " 0.50 ")) << share(0.5);
  results_.stop.cold_cache = true;
  EXPECT_TRUE(contains(share(15.6), " 15.60! ")) << share(15.6);
}

TEST_F(Summary, LinesFitTheScreen) {
  RowResult& row = add("row_per_vector_atomic", 12.5, {123456, 654321, 1});
  row.portable.variant = find_variant("yax", "kokkos", "row_per_vector_atomic", device_.backend);
  add("tuned", 1, {1, 2, 1});
  add("row_per_vector_atomic", 12.5, {2, 2, 1}, 5);
  std::istringstream lines(screen_of(results_, false, screen_columns));
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), screen_columns) << line;
}

} // namespace
} // namespace ado::bench
