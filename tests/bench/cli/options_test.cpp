// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What parse_size and parse_options make of accepted texts; tests/miniapp/options_test.cpp tests
// refusals through the program.
#include <ado/bench/cli/option_values.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace ado::bench {
namespace {

Options parsed(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "miniapp");
  const ParsedOptions result = parse_options(static_cast<int>(arguments.size()), arguments.data());
  EXPECT_FALSE(result.exit);
  return result.options;
}

TEST(Commands, SayWhatTheirOptionsSay) {
  EXPECT_TRUE(parsed({"list", "--algorithm", "yax"}).list);
  EXPECT_EQ(parsed({"list", "--algorithm", "yax"}).algorithms, Names{"yax"});
  EXPECT_TRUE(parsed({"--kokkos-num-threads=2", "selftest"}).selftest);
  EXPECT_TRUE(parsed({"dry-run"}).dry_run);
  EXPECT_TRUE(parsed({"profile", "--model", "kokkos"}).profile);
  EXPECT_EQ(parsed({"ncu", "file.csv"}).ncu_csv, "file.csv");
  const Options run = parsed({"run", "--variant", "team"});
  EXPECT_EQ(run.variants, Names{"team"});
  EXPECT_FALSE(run.list || run.selftest || run.dry_run || run.profile);
  EXPECT_THROW(parsed({"lsit"}), UsageError);
  EXPECT_THROW(parsed({"--kokkos-num-threads=2", "explain", "noise"}), UsageError);
  EXPECT_THROW(parsed({"--variant", "team", "list"}), UsageError) << "it is no first word";
}

TEST(Options, KnowWhatIsMeasuredFromWhereResultsGo) {
  const std::string measured = parsed({"--rows", "5", "--seed=2"}).measured;
  EXPECT_EQ(parsed({"--seed", "2", "--json=s.json", "--rows=5", "--resume", "--csv", "x.csv",
                    "--launches", "--verbose", "--timeline", "t.svg"})
                .measured,
            measured);
  EXPECT_NE(parsed({"--rows", "5", "--seed=3"}).measured, measured);
  EXPECT_NE(parsed({"--rows", "5", "--seed=2", "--cold-cache"}).measured, measured);
  EXPECT_NE(parsed({"--rows", "5", "--seed=2", "--kokkos-num-threads=2"}).measured, measured);
}

TEST(Options, ForOneProcessAreNoted) {
  EXPECT_EQ(parsed({"--rows", "5", "--row-padding", "3"}).one_process, "--row-padding");
  EXPECT_EQ(parsed({"--diagnose-all"}).one_process, "--diagnose-all");
  EXPECT_EQ(parsed({"--rows", "5"}).one_process, "");
}

TEST(Options, AboutTimesAreNotForProfile) {
  EXPECT_TRUE(parsed({"--profile", "--rows", "5", "--reps", "2"}).profile);
  for (const char* option : {"--stages", "--launches", "--diagnose-all", "--skip-verification"})
    EXPECT_THROW(parsed({"--profile", option}), UsageError) << option;
  EXPECT_THROW(parsed({"--profile", "--json", "-"}), UsageError);
}

TEST(ParseSize, TakesNumbersPowersAndSuffixes) {
  const auto size = [](const char* text) { return parse_size(text, "--rows"); };
  EXPECT_EQ(size("0"), 0u);
  EXPECT_EQ(size("4096"), 4096u);
  EXPECT_EQ(size("18446744073709551615"), ~std::size_t{0});
  EXPECT_EQ(size("2^0"), 1u);
  EXPECT_EQ(size("2^63"), std::size_t{1} << 63);
  EXPECT_EQ(size("10^3"), 1000u);
  EXPECT_EQ(size("3k"), 3000u);
  EXPECT_EQ(size("3M"), 3000000u);
  EXPECT_EQ(size("3G"), 3000000000u);
  EXPECT_EQ(size("3Ki"), 3072u);
  EXPECT_EQ(size("3Mi"), 3145728u);
  EXPECT_EQ(size("3Gi"), 3221225472u);
}

TEST(ParseSize, RefusesWhatWouldWrap) {
  for (const char* text : {"2^64", "3^41", "18446744073709551616", "17179869184Gi", "1^64"})
    EXPECT_THROW(parse_size(text, "--rows"), UsageError) << text;
}

TEST(ParseOptions, NothingMeansTheDefaults) {
  const Options o = parsed({});
  EXPECT_TRUE(o.algorithms.empty());
  EXPECT_TRUE(o.variants.empty());
  EXPECT_TRUE(o.models.empty());
  EXPECT_TRUE(o.sizes.empty());
  EXPECT_TRUE(o.backend.name.empty());
  EXPECT_FALSE(o.reference.has_value());
  EXPECT_FALSE(o.stop.reps.has_value());
  EXPECT_EQ(o.data, DataKind::uniform);
  EXPECT_EQ(o.seed, 1u);
  EXPECT_EQ(o.stop.warmup, 1u);
  EXPECT_EQ(o.stop.min_time, 0.1);
  EXPECT_FALSE(o.stop.max_noise.has_value());
  EXPECT_FALSE(o.stop.timeout.has_value());
  EXPECT_TRUE(o.json.empty());
  EXPECT_FALSE(o.list);
  EXPECT_FALSE(o.dry_run);
  EXPECT_TRUE(o.sweeps.empty());
  EXPECT_FALSE(o.launches);
  EXPECT_FALSE(o.selftest);
  EXPECT_FALSE(o.stop.skip_verification);
}

TEST(ParseOptions, EveryOptionArrives) {
  const Options o = parsed({"--algorithm",
                            "yax,transpose",
                            "--variant=team",
                            "--exclude-variant",
                            "flat",
                            "--model",
                            "kokkos,openmp",
                            "--backend",
                            "openmp:3",
                            "--reference",
                            "serial/serial@openmp:1",
                            "--team-size",
                            "2^6",
                            "--league-size=9",
                            "--stride",
                            "1,32,1",
                            "-N",
                            "2^4",
                            "--vectors",
                            "3k",
                            "-L5",
                            "--rows",
                            "6",
                            "--sweep",
                            "cols=7,70",
                            "--type",
                            "f32,f64",
                            "--row-padding",
                            "0,1k,0",
                            "--data",
                            "hash",
                            "--seed",
                            "8",
                            "--input",
                            "yax.a=in=1.npy",
                            "--output",
                            "b=out.npy",
                            "--min-time",
                            "0.5",
                            "--max-noise",
                            "2.5",
                            "--timeout=30",
                            "--max-ratio",
                            "1.1",
                            "--warmup",
                            "0",
                            "--json",
                            "-",
                            "--csv=r.csv",
                            "--markdown",
                            "r.md",
                            "--launches",
                            "--dry-run"});
  EXPECT_EQ(o.algorithms, (Names{"yax", "transpose"}));
  EXPECT_EQ(o.variants, Names{"team"});
  EXPECT_EQ(o.excluded_variants, Names{"flat"});
  EXPECT_EQ(o.models, (Names{"kokkos", "openmp"}));
  EXPECT_EQ(o.backend.name, "openmp");
  EXPECT_EQ(o.backend.threads, 3);
  EXPECT_EQ(o.reference->model, "serial");
  EXPECT_EQ(o.reference->variant, "serial");
  EXPECT_EQ(o.reference->backend.name, "openmp");
  EXPECT_EQ(o.reference->backend.threads, 1);
  EXPECT_EQ(o.launch.team_size, 64);
  EXPECT_EQ(o.launch.league_size, 9);
  EXPECT_EQ(o.strides, (std::vector<int>{1, 32}));
  EXPECT_FALSE(o.team_size_sweep);
  EXPECT_EQ(o.sizes, (std::map<std::string, std::size_t>{
                         {"sets", 16}, {"vectors", 3000}, {"length", 5}, {"rows", 6}}));
  ASSERT_EQ(o.sweeps.size(), 1u);
  EXPECT_EQ(o.sweeps[0].sizes, Names{"cols"});
  EXPECT_EQ(o.sweeps[0].values, (std::vector<std::size_t>{7, 70}));
  EXPECT_EQ(o.types, (std::vector<Type>{Type::f32, Type::f64}));
  EXPECT_EQ(o.row_paddings, (std::vector<std::size_t>{0, 1000}));
  EXPECT_EQ(o.data, DataKind::hash);
  EXPECT_EQ(o.seed, 8u);
  EXPECT_EQ(o.inputs, (std::map<std::string, std::string>{{"yax.a", "in=1.npy"}}));
  EXPECT_EQ(o.outputs, (std::map<std::string, std::string>{{"b", "out.npy"}}));
  EXPECT_EQ(o.stop.min_time, 0.5);
  EXPECT_EQ(o.stop.max_noise, 0.025);
  EXPECT_EQ(o.max_ratio, 1.1);
  EXPECT_EQ(o.stop.timeout, 30);
  EXPECT_EQ(o.stop.warmup, 0u);
  EXPECT_EQ(o.json, "-");
  EXPECT_EQ(o.csv, "r.csv");
  EXPECT_EQ(o.markdown, "r.md");
  EXPECT_TRUE(o.dry_run);
  EXPECT_TRUE(o.launches);
  EXPECT_EQ(o.without_effect,
            "--min-time, --max-noise, --timeout, --max-ratio, --warmup, --json, --csv, "
            "--markdown, --launches");
}

TEST(ParseOptions, ListAndSelftestTakeWhatSelects) {
  const Options list =
      parsed({"--list", "--algorithm", "yax", "--variant", "team", "--model", "kokkos"});
  EXPECT_TRUE(list.list);
  EXPECT_EQ(list.variants, Names{"team"});
  const Options selftest = parsed({"--selftest", "--algorithm", "yax", "--backend", "serial"});
  EXPECT_TRUE(selftest.selftest);
  EXPECT_EQ(selftest.algorithms, Names{"yax"});
}

TEST(Options, ANameThatStandsTwiceCountsOnce) {
  const Options o =
      parsed({"--type", "f64,f32,f64", "--algorithm", "yax,transpose", "--algorithm", "yax"});
  EXPECT_EQ(o.types, (std::vector<Type>{Type::f64, Type::f32}));
  EXPECT_EQ(o.algorithms, (std::vector<std::string>{"yax", "transpose"}));
}

TEST(ParseOptions, RepsMayHaveATimeout) {
  const Options o = parsed({"--reps", "9", "--timeout", "1.5"});
  EXPECT_EQ(o.stop.reps, 9u);
  EXPECT_EQ(o.stop.timeout, 1.5);
}

TEST(ParseOptions, TeamSizesMayBeSweptOrLeftToTheVariants) {
  EXPECT_TRUE(parsed({"--team-size", "sweep"}).team_size_sweep);
  EXPECT_EQ(parsed({"--team-size", "sweep"}).launch.team_size, 0);
  EXPECT_FALSE(parsed({"--team-size", "auto"}).team_size_sweep);
  EXPECT_EQ(parsed({"--team-size", "auto"}).launch.team_size, 0);
}

TEST(ParseOptions, AllMeansEveryRegisteredAlgorithmAndNoLimitElsewhere) {
  const Options o = parsed({"--algorithm", "all", "--variant", "all", "--model", "kokkos,all"});
  EXPECT_EQ(o.algorithms,
            (Names{"average", "average_mv", "pipeline", "transpose", "vector_add", "yax"}));
  EXPECT_TRUE(o.variants.empty());
  EXPECT_TRUE(o.models.empty());
}

TEST(ParseOptions, ArgumentsOfKokkosAreTakenOutAndKept) {
  const Options o = parsed({"--kokkos-num-threads=2", "--rows", "3", "--kokkos-device-id=0"});
  EXPECT_EQ(o.kokkos, (Names{"--kokkos-num-threads=2", "--kokkos-device-id=0"}));
  EXPECT_EQ(o.sizes.at("rows"), 3u);
}

TEST(ParseOptions, HelpAndVersionCarryTheirText) {
  for (const char* option : {"--help", "-h", "--version"}) {
    const char* arguments[] = {"miniapp", "--rows", "3", option};
    const ParsedOptions result = parse_options(4, arguments);
    EXPECT_TRUE(result.exit);
    EXPECT_FALSE(result.text.empty());
  }
}

} // namespace
} // namespace ado::bench
