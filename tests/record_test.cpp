// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the record and the tables say of launches, for results that are made here.
#include "described_device.hpp"
#include <ado/core/registry.hpp>
#include <ado/harness/plan.hpp>
#include <ado/harness/record.hpp>
#include <ado/harness/report.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace ado {
namespace {

using Json = nlohmann::json;

/// One variant, timed twice, on a GPU that is only described.
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
    row.native.launches.kernels = {
        {"tile<double>", {7, 2, 1}, {64, 4, 2}, 40, 512, 4096, 16, 20, 64, "registers"},
        {"sum", {1, 1, 1}, {32, 1, 1}, 8, 0, 0, 0, 0, 0, ""}};
    results_.rows.push_back(row);
  }
  Json entries() const {
    return Json::parse(json_text(results_, run_facts(device_, {"miniapp"})))["benchmarks"];
  }
  std::string screen() const {
    std::ostringstream out;
    print_table(out, results_);
    print_launches(out, results_);
    return out.str();
  }
  DescribedDevice device_{1, 1 << 20, std::size_t{1} << 30};
  Results results_;
};

TEST_F(LaunchRecord, EveryEntryOfAGpuHoldsItsLaunches) {
  const Json list = entries();
  ASSERT_EQ(list.size(), 2u);
  const Json tile{
      {"kernel", "tile<double>"}, {"grid", {7, 2, 1}},          {"block", {64, 4, 2}},
      {"registers", 40},          {"static_shared_bytes", 512}, {"dynamic_shared_bytes", 4096},
      {"local_bytes", 16},        {"resident_warps", 20},       {"maximum_warps", 64},
      {"occupancy", 0.3125},      {"limited_by", "registers"}};
  for (const Json& entry : list) {
    ASSERT_EQ(entry.at("launches").size(), 2u);
    EXPECT_EQ(entry["launches"][0], tile);
    EXPECT_EQ(entry["launches"][1]["kernel"], "sum");
    EXPECT_EQ(entry["launches"][1]["occupancy"], 0);
    EXPECT_FALSE(entry.contains("no_launches"));
  }
}

TEST_F(LaunchRecord, WhyTheyAreUnknownIsSaid) {
  results_.rows[0].native.launches = {{}, "CUPTI is not here"};
  for (const Json& entry : entries()) {
    EXPECT_EQ(entry.at("no_launches"), "CUPTI is not here");
    EXPECT_FALSE(entry.contains("launches"));
  }
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
                           "warps, 31 % registers",
                           "sum 1 32 8 0 0 0 unknown"})
    EXPECT_NE(std::find(lines.begin(), lines.end(), line), lines.end()) << line << " in\n" << text;
}

TEST_F(LaunchRecord, AWrongVariantShowsNone) {
  results_.rows[0].native.failure = "WRONG";
  results_.rows[0].native.seconds.clear();
  EXPECT_EQ(screen().find("tile<double>"), std::string::npos);
}

TEST_F(LaunchRecord, TheHeadShowsTheFactsOfTheDevice) {
  std::ostringstream out;
  print_machine(out, device_);
  EXPECT_NE(out.str().find("\n         compute capability 9.0, built for sm_90\n"),
            std::string::npos)
      << out.str();
}

} // namespace
} // namespace ado
