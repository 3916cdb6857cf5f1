// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --profile prints, so that a profiler runs the same variant on the same case.
#include "described_device.hpp"
#include <ado/bench/cli/option_values.hpp>
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/profile/ncu_roofline.hpp>
#include <ado/bench/profile/profile.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace ado::bench {
namespace {

Options parsed(const std::string& text) {
  std::vector<std::string> words{"miniapp"};
  std::istringstream stream(text);
  for (std::string word; stream >> word;)
    words.push_back(word);
  std::vector<const char*> pointers;
  for (const std::string& word : words)
    pointers.push_back(word.c_str());
  return parse_options(static_cast<int>(pointers.size()), pointers.data()).options;
}

TEST(ProfileArguments, AreACommandLineOfTheSameRun) {
  const DescribedDevice device(4, 0, std::size_t{1} << 34);
  const std::string backend = " --backend " + device.backend + " --kokkos-num-threads=4";
  for (const char* run :
       {"--algorithm vector_add --variant strided,team --stride 1,32 "
        "--league-size 3 --type f32,f64 --sweep elements=1001,70",
        "--algorithm average_mv --variant coalesced --team-size sweep",
        "--algorithm transpose --type i8,c128 --rows 41 --cols 67 --row-padding 0,3"}) {
    const Options options = parsed(run + backend);
    std::size_t rows = 0;
    for (const Case& c : plan_cases(options, device))
      for (const Row& row : c.rows)
        for (const Variant* variant : {row.portable, row.native}) {
          if (variant == nullptr || stands_in(variant, row.portable)) continue;
          const std::string arguments = profile_arguments(c, row, *variant, options);
          SCOPED_TRACE(arguments);
          const Options again = parsed(arguments);
          EXPECT_TRUE(again.profile);
          EXPECT_EQ(again.kokkos, options.kokkos);
          const auto cases = plan_cases(again, device);
          ASSERT_EQ(cases.size(), 1u);
          EXPECT_EQ(cases[0].problem.algorithm, c.problem.algorithm);
          EXPECT_EQ(cases[0].problem.shape, c.problem.shape);
          EXPECT_EQ(cases[0].problem.type, c.problem.type);
          EXPECT_EQ(cases[0].problem.row_padding, c.problem.row_padding);
          ASSERT_EQ(cases[0].rows.size(), 1u);
          const Row& only = cases[0].rows[0];
          EXPECT_EQ(only.portable == nullptr ? only.native : only.portable, variant);
          EXPECT_TRUE(only.portable == nullptr || only.native == nullptr) << "and nothing else";
          const Launch launch = taken_by(*variant, row.launch);
          EXPECT_EQ(only.launch.team_size, launch.team_size);
          EXPECT_EQ(only.launch.league_size, launch.league_size);
          EXPECT_EQ(only.launch.stride, launch.stride);
          ++rows;
        }
    EXPECT_GE(rows, 3u) << run;
  }
}

TEST(ProfileCommands, CollectWhatNcuCsvReads) {
  const std::string command = ncu_command("bin/miniapp", "--profile --rows 3", "yax_f64");
  for (const char* part :
       {"ncu --profile-from-start off ", " --section SpeedOfLight ", " --section SourceCounters ",
        " --import-source yes --force-overwrite --export yax_f64 --csv --page raw --print-units "
        "base --log-file yax_f64.csv "})
    EXPECT_NE(command.find(part), std::string::npos) << part << " in " << command;
  std::string metrics;
  for (const char* metric : roofline_metrics)
    metrics += "," + std::string(metric);
  EXPECT_NE(command.find(" --metrics " + metrics.substr(1) + " "), std::string::npos) << command;
  EXPECT_TRUE(command.ends_with(" bin/miniapp --profile --rows 3")) << command;
  EXPECT_EQ(nsys_command("bin/miniapp", "--profile --rows 3", "yax_f64"),
            "nsys profile --capture-range cudaProfilerApi --trace cuda,nvtx --output yax_f64 "
            "bin/miniapp --profile --rows 3");
}

TEST(VariantName, SaysWhatTheRowSetsAndTheVariantTakes) {
  const DescribedDevice device(4, 0, std::size_t{1} << 34);
  RowResult row;
  Measurement m;
  const auto name = [&](const char* algorithm, const char* variant) {
    m.variant = find_variant(algorithm, "kokkos", variant, device.backend);
    return variant_name(row, m).variant + variant_name(row, m).launch;
  };
  EXPECT_EQ(name("vector_add", "strided"), "kokkos_strided") << "nothing is set";
  row.launch = {64, 9, 32}; // team size, league size, stride
  EXPECT_EQ(name("vector_add", "strided"), "kokkos_strided/league_size:9/stride:32");
  EXPECT_EQ(name("average_mv", "coalesced"), "kokkos_coalesced/team_size:64");
  EXPECT_EQ(name("vector_add", "team"), "kokkos_team");
  row.launch = {1, 1, 1};
  EXPECT_EQ(name("vector_add", "strided"), "kokkos_strided/league_size:1/stride:1");
  EXPECT_EQ(name("average_mv", "coalesced"), "kokkos_coalesced/team_size:1");
}

} // namespace
} // namespace ado::bench
