// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CSV and Markdown, read back, for made-up results.
#include "csv_reader.hpp"
#include "described_device.hpp"
#include "screen.hpp"
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/io/csv.hpp>
#include <ado/bench/records/csv.hpp>
#include <ado/bench/records/json.hpp>
#include <ado/bench/records/markdown.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <sstream>

namespace ado::bench {
namespace {

using Lines = std::vector<std::vector<std::string>>;

const Algorithm& algorithm_named(const std::string& name) {
  for (const Algorithm& algorithm : algorithms())
    if (algorithm.name == name) return algorithm;
  throw Error("no such algorithm");
}

Measurement timed(const Variant* variant, std::vector<double> seconds) {
  Measurement m;
  m.variant = variant;
  m.ran = true;
  m.seconds = m.host_seconds = std::move(seconds);
  return m;
}

Measurement failed(const Variant* variant, const std::string& why) {
  Measurement m;
  m.variant = variant;
  m.failure = why;
  return m;
}

/// How often `part` stands in `text`.
std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

class RecordFormats : public testing::Test {
protected:
  RecordFormats() {
    device_.description = "OpenMP, 3 threads";
    results_.device = &device_;
    results_.ceilings = {1e9, 1e9, 1e9, 1e12, 1e12, 1e-6};
    add_row({}, {});
    rows()[0].portable = timed(team_, {0.5, 0.125, 0.25, 1.0});
    rows()[0].native = timed(serial_, {2.0, 1.0});
    rows()[0].portable.stopped_by = "timeout";
  }
  std::vector<RowResult>& rows() { return results_.rows; }
  void add_row(Measurement portable, Measurement native) {
    RowResult row{.problem = {&algorithm_named("yax"), {3, 5, 1}, Type::f64}, .name = "team"};
    row.portable = std::move(portable);
    row.native = std::move(native);
    rows().push_back(std::move(row));
  }
  std::string csv() const { return csv_text(results_, facts_); }
  std::string markdown() const { return markdown_text(results_, facts_); }

  DescribedDevice device_{3, 1 << 20, std::size_t{1} << 30};
  Results results_;
  RunFacts facts_ = described_facts();
  const Variant* team_ = find_variant("yax", "kokkos", "team", device_.backend);
  const Variant* serial_ = find_variant("yax", "serial", "serial", "");
};

TEST(Csv, WhatIsWrittenReadsBack) {
  const Lines lines{{"plain", "", "a,b", "\"", "\"\"", "line\nline", "a\r\nb", " x ", ",\",\n"},
                    {"", ""},
                    {"last"}};
  std::string text;
  for (const auto& line : lines)
    text += csv_line(line);
  EXPECT_EQ(read_csv(text), lines) << text;
  EXPECT_EQ(csv_line({"plain", "a b", "x"}), "plain,a b,x\n") << "quotes where none are needed";
}

TEST(Csv, NumbersReadBackTheSame) {
  std::mt19937_64 generator(1);
  for (int k = 0; k < 1000; ++k) {
    const double value = std::ldexp(static_cast<double>(generator()), int(generator() % 600) - 300);
    EXPECT_EQ(std::stod(csv_number(value)), value);
  }
  EXPECT_EQ(csv_number(0.25), "0.25");
  EXPECT_TRUE(std::isnan(std::stod(csv_number(std::nan("")))));
  EXPECT_EQ(csv_number(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST_F(RecordFormats, ALineOfCsvIsEnoughForItself) {
  const auto list = csv_entries(csv());
  ASSERT_EQ(list.size(), 2u);
  const std::map<std::string, std::string> expected{{"algorithm", "yax"},
                                                    {"model", "kokkos"},
                                                    {"variant", "team"},
                                                    {"type", "f64"},
                                                    {"rows", "3"},
                                                    {"cols", "5"},
                                                    {"sets", ""},
                                                    {"verified", "true"},
                                                    {"reason", ""},
                                                    {"repetitions", "4"},
                                                    {"median_seconds", "0.375"},
                                                    {"first_quartile_seconds", "0.21875"},
                                                    {"third_quartile_seconds", "0.625"},
                                                    {"least_seconds", "0.125"},
                                                    {"stopped_by", "timeout"},
                                                    {"portable_over_native_low", ""},
                                                    {"portable_over_native_high", ""},
                                                    {"bytes", "192"},
                                                    {"bytes_per_second", "512"},
                                                    {"date", facts_.date},
                                                    {"host", facts_.host},
                                                    {"cpu", facts_.cpu},
                                                    {"device", facts_.device},
                                                    {"backend", "openmp"},
                                                    {"commit", "0123abc"},
                                                    {"compiler", "GNU 12"},
                                                    {"compiler_flags", "-O3"},
                                                    {"kokkos_version", "4.7.2"},
                                                    {"nvcc_version", "13.0.88"},
                                                    {"driver_version", "580.65.06"},
                                                    {"gpu_uuid", "GPU-6ab0"},
                                                    {"team_size", ""},
                                                    {"stride", ""},
                                                    {"read_ceiling_bytes_per_second", "1e+09"},
                                                    {"reference", ""},
                                                    {"speedup", ""}};
  for (const auto& [column, value] : expected)
    EXPECT_EQ(list[0].at(column), value) << column;
  EXPECT_NEAR(std::stod(list[0].at("portable_over_native")), std::sqrt(0.25 * 0.125), 1e-12);
  EXPECT_DOUBLE_EQ(std::stod(list[0].at("share_of_ceiling")), 192e-9 / 0.375);
  EXPECT_EQ(list[1].at("model"), "serial");
  EXPECT_EQ(list[1].at("median_seconds"), "1.5");
  EXPECT_EQ(list[1].at("portable_over_native"), "") << "it is the portable one's";
  EXPECT_EQ(list[1].at("date"), facts_.date);
}

TEST_F(RecordFormats, LaunchParametersStandInTheLinesOfWhoTakesThem) {
  Variant takes = *team_;
  takes.takes_stride = takes.takes_league_size = true;
  add_row(timed(&takes, {1.0}), timed(serial_, {1.0}));
  rows()[1].launch = {.team_size = 4, .league_size = 5, .stride = 6};
  const auto list = csv_entries(csv());
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[2].at("stride"), "6");
  EXPECT_EQ(list[2].at("league_size"), "5");
  EXPECT_EQ(list[2].at("team_size"), "") << "it takes none";
  EXPECT_EQ(list[3].at("stride"), "");
}

TEST_F(RecordFormats, ARatioHasItsIntervalInCsv) {
  rows()[0].portable.seconds.assign(9, 0.5);
  rows()[0].native.seconds.assign(9, 0.25);
  rows()[0].native.seconds[4] = 0.125;
  const auto list = csv_entries(csv());
  EXPECT_DOUBLE_EQ(std::stod(list[0].at("portable_over_native")), 2);
  EXPECT_DOUBLE_EQ(std::stod(list[0].at("portable_over_native_low")), 2);
  EXPECT_GT(std::stod(list[0].at("portable_over_native_high")), 4) << "one in nine is twice that";
}

TEST_F(RecordFormats, WhatFailedHasItsReasonAndNoTimeInCsv) {
  const std::string why = "out of \"memory\",\nsays the device";
  add_row(failed(team_, why), timed(serial_, {1.0}));
  rows()[1].native.seconds.clear();
  rows()[1].native.failure = "WRONG: nan | x";
  rows()[1].native.check.max_error = std::nan("");
  const auto list = csv_entries(csv());
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[2].at("reason"), why);
  EXPECT_EQ(list[2].at("max_error"), "") << "it did not run";
  EXPECT_EQ(list[3].at("reason"), "WRONG: nan | x");
  EXPECT_EQ(list[3].at("max_error"), "nan");
  for (const std::size_t line : {2, 3}) {
    EXPECT_EQ(list[line].at("verified"), "false");
    EXPECT_EQ(list[line].at("repetitions"), "0");
    for (const char* column :
         {"median_seconds", "first_quartile_seconds", "third_quartile_seconds", "least_seconds",
          "bytes_per_second", "share_of_ceiling", "limiter_estimated"})
      EXPECT_EQ(list[line].at(column), "") << column;
  }
}

TEST_F(RecordFormats, TheNvccStandsWhereOneCompiled) {
  const auto context = [&] {
    return nlohmann::json::parse(json_text(results_, facts_)).at("context");
  };
  EXPECT_EQ(context().at("nvcc_version"), "13.0.88");
  facts_.nvcc.clear();
  EXPECT_FALSE(context().contains("nvcc_version"));
}

TEST_F(RecordFormats, MarkdownHoldsTheTableUnderTheMachine) {
  add_row(failed(team_, "a | b\nand <c>"), {});
  rows().back().problem.shape = {7, 5, 1};
  const std::string text = markdown();
  EXPECT_EQ(text.substr(0, text.find("\n\n")).find("  "), std::string::npos) << text;
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);)
    lines.push_back(line);
  for (const char* fact : {"OpenMP, 3 threads", "host,1", "A \"fast\" CPU", "ado 1", "GNU 12 -O3",
                           "2026-01-31T12:00:00Z", "read 1.0, write 1.0, copy 1.0 GB/s"})
    EXPECT_NE(lines.at(0).find(fact), std::string::npos) << fact << " in\n" << lines[0];
  ASSERT_EQ(lines.size(), 13u) << text;
  EXPECT_EQ(lines[2].rfind("yax f64: rows 3 x cols 5, ", 0), 0u) << lines[2];
  EXPECT_EQ(lines[4],
            "| variant | portable ms | GB/s | native ms | GB/s | native | portable /native | "
            "95 % interval | of ceiling | limiter | verdict |");
  EXPECT_EQ(lines[5], "|---|---:|---:|---:|---:|---|---:|---|---:|---|---|");
  EXPECT_EQ(lines[6].rfind("| team | 375.0 | 0.000000512 | 1500 | 0.000000128 | serial/serial | "
                           "0.177? |  | ",
                           0),
            0u)
      << lines[6];
  EXPECT_EQ(lines[8].rfind("yax f64: rows 7 x cols 5, ", 0), 0u) << lines[8];
  EXPECT_EQ(lines[12], "| team | - | - | - | - | - | - |  | - | - | portable: a \\| b and \\<c> |");
}

TEST_F(RecordFormats, WhatNobodyLookedAtIsNotVerifiedInEachOfThem) {
  results_.stop.skip_verification = true;
  for (Measurement* m : {&rows()[0].portable, &rows()[0].native})
    m->unverified = not_verified;
  EXPECT_EQ(exit_status(results_), 6);
  const std::string words = "not verified: --skip-verification";
  EXPECT_EQ(count_of(csv_text(results_, {}), "false," + words + ","), 2u);
  EXPECT_EQ(count_of(csv_text(results_, {}), "true,"), 2u) << "may_stay_in_cache only";
  const std::string json = json_text(results_, {});
  EXPECT_EQ(count_of(json, "\"verified\": false"), 6u) << json;
  EXPECT_EQ(count_of(json, "\"reason\": \"" + words + "\""), 6u) << json;
  EXPECT_EQ(count_of(json, "max_error"), 0u) << json;
  const std::string markdown = markdown_text(results_, {});
  EXPECT_EQ(count_of(markdown, "\n**" + words + "**\n"), 1u) << markdown;
  EXPECT_EQ(count_of(markdown, "| not verified |"), 1u) << markdown;
  const std::string screen = screen_of(results_);
  EXPECT_EQ(screen.rfind(words + "\n", 0), 0u) << screen;
  EXPECT_EQ(count_of(screen, "0 of 2 results verified; " + words), 1u) << screen;
  EXPECT_EQ(count_of(screen, " not verified\n"), 1u) << screen;
  results_.stop.max_noise = 0;
  EXPECT_EQ(exit_status(results_), 6) << "before noise";
  rows()[0].native = failed(serial_, "thrown");
  EXPECT_EQ(exit_status(results_), 3) << "what failed comes first";
}

TEST_F(RecordFormats, OnlyARowWithAWrongResultIsRed) {
  add_row(timed(team_, {0.5, 0.125}), failed(serial_, "WRONG: [0][0] is 1"));
  rows().back().native.ran = true;
  const std::string plain = screen_of(results_), coloured = screen_of(results_, true);
  EXPECT_EQ(count_of(plain, "\033"), 0u);
  EXPECT_EQ(count_of(coloured, "\033[31mteam "), 1u) << coloured;
  EXPECT_EQ(count_of(coloured, "native: WRONG: [0][0] is 1\033[m\n"), 1u) << coloured;
  EXPECT_EQ(count_of(coloured, "\033"), 2u) << coloured;
}

} // namespace
} // namespace ado::bench
