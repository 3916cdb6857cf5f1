// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the record and the tables say of times, ratios and launches, for made-up results.
#include "csv_reader.hpp"
#include "described_device.hpp"
#include "screen.hpp"
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/io/number.hpp>
#include <ado/bench/records/csv.hpp>
#include <ado/bench/records/json.hpp>
#include <ado/bench/report/launch_report.hpp>
#include <ado/bench/report/report.hpp>
#include <ado/bench/report/stage_report.hpp>
#include <ado/bench/stats/statistics_paired.hpp>
#include <ado/bench/stats/statistics_unpaired.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace ado::bench {
namespace {

using Json = nlohmann::json;

/// One variant, timed twice, on a described GPU.
class LaunchRecord : public testing::Test {
protected:
  LaunchRecord() {
    device_.on_host = false;
    device_.facts = {{"compute capability", "9.0"}, {"built for", "sm_90"}};
    results_.device = &device_;
    results_.ceilings = {1e12, 1e12, 1e12, 1e13, 1e13, 1e-6};
    const Variant* serial = find_variant("yax", "serial", "serial", "");
    RowResult row{.problem = {&algorithms().back(), {3, 5, 1}, Type::f64}, .name = "serial"};
    row.native.variant = serial;
    row.native.ran = true;
    row.native.seconds = {0.5, 0.25};
    row.native.host_seconds = {0.125, 0.0625};
    row.native.launches.kernels = {
        {"tile<double>", {7, 2, 1}, {64, 4, 2}, 40, 512, 4096, 16, 20, 64, "registers", 0.25},
        {"sum", {1, 1, 1}, {32, 1, 1}, 8, 0, 0, 0, 0, 0, ""}};
    results_.rows.push_back(row);
  }
  Json entries() const {
    return Json::parse(json_text(results_, run_facts(device_, {"miniapp"})))["benchmarks"];
  }
  Json context() const {
    return Json::parse(json_text(results_, run_facts(device_, {"miniapp"})))["context"];
  }
  std::string screen() const {
    std::ostringstream out;
    print_launches(out, results_);
    return screen_of(results_) + out.str();
  }
  DescribedDevice device_{1, 1 << 20, std::size_t{1} << 30};
  Results results_;
};

TEST_F(LaunchRecord, TheFirstEntryOnAGpuHoldsItsLaunches) {
  const Json list = entries();
  ASSERT_EQ(list.size(), 2u);
  const Json tile{
      {"kernel", "tile<double>"}, {"grid", {7, 2, 1}},          {"block", {64, 4, 2}},
      {"registers", 40},          {"static_shared_bytes", 512}, {"dynamic_shared_bytes", 4096},
      {"local_bytes", 16},        {"resident_warps", 20},       {"maximum_warps", 64},
      {"occupancy", 0.3125},      {"limited_by", "registers"},  {"waves", 0.25}};
  ASSERT_EQ(list[0].at("launches").size(), 2u);
  EXPECT_EQ(list[0]["launches"][0], tile);
  EXPECT_EQ(list[0]["launches"][1]["kernel"], "sum");
  EXPECT_EQ(list[0]["launches"][1]["occupancy"], 0);
  EXPECT_FALSE(list[0].contains("no_launches"));
}

TEST_F(LaunchRecord, WhatIsKnownOfAllRepetitionsIsWrittenOnce) {
  const Json list = entries();
  ASSERT_EQ(list.size(), 2u);
  for (const char* key : {"launches", "flops", "median_seconds", "max_error", "share_of_ceiling"}) {
    EXPECT_TRUE(list[0].contains(key)) << key;
    EXPECT_FALSE(list[1].contains(key)) << key;
  }
  EXPECT_EQ(list[1].at("name"), list[0].at("name"));
  EXPECT_EQ(list[1].at("repetition_index"), 1);
}

TEST_F(LaunchRecord, CpuTimeIsWhatTheHostTookToLaunch) {
  const Json all = entries();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].at("real_time"), 500);
  EXPECT_EQ(all[0].at("cpu_time"), 125);
  EXPECT_EQ(all[1].at("cpu_time"), 62.5);
}

TEST_F(LaunchRecord, WhyTheyAreUnknownIsSaid) {
  results_.rows[0].native.launches = {{}, "CUPTI is not here"};
  const Json entry = entries()[0];
  EXPECT_EQ(entry.at("no_launches"), "CUPTI is not here");
  EXPECT_FALSE(entry.contains("launches"));
  EXPECT_NE(screen().find("no launch facts: CUPTI is not here\n"), std::string::npos) << screen();
}

TEST_F(LaunchRecord, AHostHasNone) {
  device_.on_host = true;
  for (const Json& entry : entries()) {
    EXPECT_FALSE(entry.contains("launches"));
    EXPECT_FALSE(entry.contains("no_launches"));
  }
}

TEST_F(LaunchRecord, TheTableHasALineForEachKernel) {
  const std::string text = screen();
  EXPECT_EQ(text.find("no launch facts"), std::string::npos) << text;
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string joined;
    for (std::string word; words >> word;)
      joined += (joined.empty() ? "" : " ") + word;
    lines.push_back(joined);
  }
  for (const char* line : {"serial/serial tile<double> 7 x 2 64 x 4 x 2 40 512 4096 16 20 of 64 "
                           "warps, 31 % registers 93750.0",
                           "sum 1 32 8 0 0 0 unknown"})
    EXPECT_NE(std::find(lines.begin(), lines.end(), line), lines.end()) << line << " in\n" << text;
}

TEST_F(LaunchRecord, WhatAccessesCostIsPredictedWhereTheyAreDeclared) {
  for (const Json& entry : entries())
    EXPECT_FALSE(entry.contains("predicted_sectors_per_load_request"));
  RowResult& row = results_.rows[0];
  row.problem = {find_algorithm("transpose"), {1024, 512, 1}, Type::f64};
  row.native.variant = find_variant("transpose", "kokkos", "flat", default_backend());
  Json entry = entries()[0];
  EXPECT_EQ(entry.at("predicted_sectors_per_load_request"), 8);
  EXPECT_EQ(entry.at("predicted_sectors_per_store_request"), 32);
  EXPECT_EQ(entry.at("predicted_excessive_sectors_share"), 0.6); // 24 of 40
  EXPECT_FALSE(entry.contains("predicted_bank_conflict_ways"));
  row.native.variant = find_variant("transpose", "kokkos", "tiled", default_backend());
  entry = entries()[0];
  EXPECT_EQ(entry.at("predicted_excessive_sectors_share"), 0);
  EXPECT_EQ(entry.at("predicted_bank_conflict_ways"), 16);
  EXPECT_EQ(entry.at("predicted_shared_efficiency"), 4. / 34);
}

// In this run reads, writes and copies have the same ceiling.
TEST_F(LaunchRecord, AStrideHasAPredictedShareOfTheCeiling) {
  EXPECT_EQ(screen().find(" model "), std::string::npos);
  EXPECT_FALSE(entries()[0].contains("predicted_share_of_ceiling"));
  RowResult& row = results_.rows[0];
  row.problem = {find_algorithm("vector_add"), {1 << 16, 1, 1}, Type::f32};
  row.native.variant = find_variant("vector_add", "kokkos", "strided", default_backend());
  row.launch.stride = 16;
  EXPECT_NE(screen().find(" model "), std::string::npos) << screen();
  EXPECT_NE(screen().find(" 0.062 "), std::string::npos) << screen();
  EXPECT_DOUBLE_EQ(entries()[0].at("predicted_share_of_ceiling"), 12. / 192);
  results_.ceilings.scattered_read = results_.ceilings.scattered_update =
      results_.ceilings.read / 2;
  // 31 holes per 32 elements; each costs a seventh of the extra time for the 64 bytes of an update
  EXPECT_DOUBLE_EQ(entries()[0].at("predicted_share_of_ceiling"), 12 / (192 + 31. / 32 * 64 / 7));
  device_.on_host = true; // a host's ceilings have no scattered pieces
  results_.ceilings.scattered_read = results_.ceilings.scattered_update = 0;
  EXPECT_DOUBLE_EQ(entries()[0].at("predicted_share_of_ceiling"), 12. / 256);
}

TEST_F(LaunchRecord, TheStateOfTheGpuIsRecordedAndASlowerClockIsFlagged) {
  EXPECT_EQ(entries()[0].at("device_state_before"), "unknown");
  EXPECT_EQ(screen().find("throttled"), std::string::npos);
  Measurement& m = results_.rows[0].native;
  m.before = {true, 1980, 3201, 412.5, 61, ""};
  m.after = {true, 1755, 3201, 699.5, 64, "power cap"};
  const Json entry = entries()[0];
  const Json after{{"clock_mhz", 1755},
                   {"memory_clock_mhz", 3201},
                   {"watts", 699.5},
                   {"celsius", 64},
                   {"throttled", "power cap"}};
  EXPECT_EQ(entry.at("device_state_after"), after);
  EXPECT_EQ(entry.at("device_state_before").at("throttled"), "");
  EXPECT_FALSE(entries()[1].contains("device_state_after"));
  EXPECT_NE(screen().find("verified; throttled: power cap\n"), std::string::npos) << screen();
  const std::string warning = "the GPU's clock was held down in 1 of 1 row: see the verdict";
  EXPECT_NE(screen().find(warning), std::string::npos) << screen();
  EXPECT_EQ(context().at("warnings"), Json::array({warning}));
  m.after.throttled.clear();
  m.before.throttled = "thermal slowdown";
  EXPECT_NE(screen().find("throttled: thermal slowdown"), std::string::npos) << screen();
}

TEST_F(LaunchRecord, AWrongVariantShowsNone) {
  results_.rows[0].native.failure = "WRONG";
  results_.rows[0].native.seconds.clear();
  EXPECT_EQ(screen().find("tile<double>"), std::string::npos);
  // compare.py would look for a time in an "iteration".
  EXPECT_EQ(entries()[0].at("run_type"), "aggregate");
}

TEST_F(LaunchRecord, TheHeadShowsTheFactsOfTheDevice) {
  std::ostringstream out;
  print_machine(out, device_);
  EXPECT_NE(out.str().find("\n         compute capability 9.0, built for sm_90\n"),
            std::string::npos)
      << out.str();
}

TEST_F(LaunchRecord, FactsOfTheDeviceFillTheLinesOfAScreen) {
  device_.facts.clear();
  std::string all;
  for (std::size_t k = 0; k < 9; ++k) {
    device_.facts.emplace_back("fact " + std::to_string(k), std::string(11 + 3 * k, 'x'));
    all += device_.facts[k].first + " " + device_.facts[k].second + " ";
  }
  std::ostringstream out;
  print_machine(out, device_);
  std::string found;
  std::istringstream lines(out.str().substr(out.str().find("         fact 0 ")));
  std::size_t count = 0, room = 0; // of the line before
  for (std::string line; std::getline(lines, line) && line.starts_with("         fact "); ++count) {
    EXPECT_LE(line.size(), screen_columns) << line;
    std::string facts = line.substr(9);
    EXPECT_GT(2 + facts.substr(0, facts.find(',')).size(), room) << out.str();
    room = screen_columns - line.size();
    std::erase(facts, ',');
    found += facts + " ";
  }
  EXPECT_EQ(found, all) << "each once, in their order";
  EXPECT_GE(count, 3u);
}

/// A pair with all the runs that were asked for: portable times are native times times 1.5, except
/// one.
class RatioRecord : public LaunchRecord {
protected:
  void time_pair(std::size_t runs, double odd_one) {
    device_.on_host = true;
    RowResult& row = results_.rows[0];
    row.portable = row.native;
    row.portable.stopped_by = "noise";
    row.portable.seconds.clear();
    row.native.seconds.clear();
    row.native.host_seconds.assign(runs, 0.0001);
    row.portable.host_seconds.assign(runs, 0.0001);
    for (std::size_t k = 0; k < runs; ++k) {
      row.native.seconds.push_back(0.001 * static_cast<double>(k + 1));
      row.portable.seconds.push_back(row.native.seconds[k] * (k == 2 ? odd_one : 1.5));
    }
  }
};

TEST_F(RatioRecord, TimesHaveQuartiles) {
  time_pair(9, 1.5);
  const Json list = entries();
  ASSERT_EQ(list.size(), 18u);
  EXPECT_DOUBLE_EQ(list[9].at("least_seconds"), 0.001);
  EXPECT_DOUBLE_EQ(list[9].at("first_quartile_seconds"), 0.003);
  EXPECT_DOUBLE_EQ(list[9].at("median_seconds"), 0.005);
  EXPECT_DOUBLE_EQ(list[9].at("third_quartile_seconds"), 0.007);
  EXPECT_DOUBLE_EQ(list[0].at("median_seconds"), 0.0075);
  EXPECT_EQ(list[0].at("stopped_by"), "noise");
  EXPECT_FALSE(list[9].contains("portable_over_native")) << "it is the portable side's";
}

TEST_F(RatioRecord, ShortTimesKeepThreeDigits) {
  const std::pair<double, const char*> shown[] = {
      {345e-9, " 0.000345 "}, {34.5e-9, " 0.0000345 "}, {3.45e-9, " 0.00000345 "},
      {3.45e-6, " 0.00345 "}, {34.5e-6, " 0.03450 "},   {345e-6, " 0.3450 "},
      {3.45e-3, " 3.450 "},   {34.5e-3, " 34.50 "},     {345e-3, " 345.0 "},
      {3.45, " 3450 "}};
  for (const auto& [seconds, text] : shown) {
    RowResult& row = results_.rows[0];
    row.native.seconds = {seconds};
    EXPECT_NE(screen().find(text), std::string::npos) << text << screen();
    row.native.stages.spans = {{Stage::compute, 0, 0, seconds}};
    row.native.stages.elapsed = seconds;
    std::ostringstream stages;
    print_stages(stages, results_);
    EXPECT_NE(stages.str().find(text), std::string::npos) << text << stages.str();
  }
}

TEST_F(RatioRecord, ARatioHasItsInterval) {
  time_pair(9, 1.6);
  const Json entry = entries()[0];
  EXPECT_DOUBLE_EQ(entry.at("portable_over_native"), 1.5);
  EXPECT_DOUBLE_EQ(entry.at("portable_over_native_low"), 1.5);
  const RowResult& row = results_.rows[0];
  const Ratio expected = paired_ratio(row.portable.seconds, row.native.seconds);
  EXPECT_DOUBLE_EQ(entry.at("portable_over_native_high"), expected.high);
  EXPECT_NE(screen().find(" 1.500  1.500-1.657 "), std::string::npos) << screen();
}

TEST_F(RatioRecord, AnUndecidedOneIsMarked) {
  time_pair(9, 0.9);
  EXPECT_NE(screen().find(" 1.500? "), std::string::npos) << screen();
  EXPECT_NE(screen().find("1 of 1 ratio undecided (?)"), std::string::npos) << screen();
  time_pair(9, 1.6);
  EXPECT_EQ(screen().find("undecided (?)"), std::string::npos) << screen();
}

TEST_F(RatioRecord, FewRunsHaveNoInterval) {
  time_pair(8, 1.5);
  const Json entry = entries()[0];
  EXPECT_DOUBLE_EQ(entry.at("portable_over_native"), 1.5);
  EXPECT_FALSE(entry.contains("portable_over_native_low"));
  EXPECT_FALSE(entry.contains("portable_over_native_high"));
  EXPECT_NE(screen().find(" 1.500?  "), std::string::npos) << screen();
}

/// The native times are 1, 2, ... 9 ms, with quartiles 3 and 7: a noise of 80 %.
TEST_F(RatioRecord, MoreNoiseThanWasAskedForIsMarkedAndTheStatusIs5) {
  time_pair(9, 1.5);
  EXPECT_EQ(exit_status(results_), 0);
  EXPECT_EQ(screen().find('~'), std::string::npos) << screen();
  results_.stop.max_noise = 0.81;
  EXPECT_EQ(exit_status(results_), 0);
  results_.stop.max_noise = 0.79;
  EXPECT_EQ(exit_status(results_), 5);
  EXPECT_NE(screen().find(" 7.500~ "), std::string::npos) << screen();
  EXPECT_NE(screen().find(" 5.000~ "), std::string::npos) << screen();
  EXPECT_NE(screen().find("2 results noisier than --max-noise (~)"), std::string::npos);
  results_.rows[0].native.seconds.assign(9, 0.25);
  EXPECT_EQ(exit_status(results_), 5) << "of the portable one alone";
  EXPECT_NE(screen().find(" 250.0  "), std::string::npos) << screen();
  results_.rows[0].native.failure = "what is wrong or did not run comes first";
  EXPECT_EQ(exit_status(results_), 1);
  results_.rows[0].native.ran = false;
  EXPECT_EQ(exit_status(results_), 3);
}

/// Over all pairs the reference takes 2.6 to 3.2 times as long.
TEST_F(RatioRecord, ASpeedupHasTheIntervalOfRunsThatWereNotInTurn) {
  time_pair(4, 1.5);
  RowResult& row = results_.rows[0];
  results_.reference = "serial/serial";
  row.portable.seconds = {0.003, 0.0029, 0.0031, 0.0028};
  row.reference = row.native;
  row.reference.seconds = {0.0088, 0.0082, 0.009, 0.0086};
  const Ratio expected = unpaired_ratio(row.portable.seconds, row.reference.seconds);
  ASSERT_TRUE(expected.has_interval());
  const Json entry = entries()[0];
  EXPECT_DOUBLE_EQ(entry.at("speedup"), expected.value);
  EXPECT_DOUBLE_EQ(entry.at("speedup_low"), expected.low);
  EXPECT_DOUBLE_EQ(entry.at("speedup_high"), expected.high);
  EXPECT_NE(screen().find(number(" %.2f", expected.value) + "  " + number("%.2f", expected.low) +
                          "-" + number("%.2f", expected.high)),
            std::string::npos)
      << screen();
  const auto lines = read_csv(csv_text(results_, run_facts(device_, {"miniapp"})));
  const auto field = [&](const char* name) {
    const auto at = std::find(lines[0].begin(), lines[0].end(), name) - lines[0].begin();
    return std::stod(lines[1].at(static_cast<std::size_t>(at)));
  };
  EXPECT_DOUBLE_EQ(field("speedup_low"), expected.low);
  EXPECT_DOUBLE_EQ(field("speedup_high"), expected.high);
  row.reference.seconds.pop_back(); // too few
  EXPECT_FALSE(entries()[0].contains("speedup_low"));
  EXPECT_TRUE(entries()[0].contains("speedup"));
}

/// The longest names, and every column.
TEST_F(RatioRecord, TheTableFitsTheScreen) {
  time_pair(10, 0.9);
  RowResult& row = results_.rows[0];
  row.name = "row_per_vector_atomic";
  row.portable.variant = find_variant("yax", "kokkos", row.name, device_.backend);
  row.native.variant = find_variant("yax", "openmp", "team", "");
  row.portable.with_transfers = 0.0123;
  row.problem.shape = {100003, 8191, 1};
  results_.stop.max_noise = 0.01;
  for (const bool on_host : {false, true}) {
    device_.on_host = on_host;
    const std::string narrow = screen_of(results_, false, 80),
                      wide = screen_of(results_, false, 120);
    std::istringstream lines(narrow + wide.substr(wide.find("Kokkos (portable)")));
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), lines.tellg() <= std::streamoff(narrow.size()) ? 80u : 120u) << line;
    EXPECT_NE(narrow.find("memory"), std::string::npos) << narrow;
    EXPECT_NE(narrow.find("openmp/team"), std::string::npos) << narrow;
    EXPECT_EQ(narrow.find("GB/s"), std::string::npos) << narrow;
    for (const char* title : {"GB/s", "interval", "verdict"})
      EXPECT_NE(wide.find(title), std::string::npos) << title << " in\n" << wide;
  }
}

} // namespace
} // namespace ado::bench
