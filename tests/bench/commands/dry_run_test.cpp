// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --dry-run says of cases before they run, and which are too large for the memory.
#include "described_device.hpp"
#include <ado/bench/commands/dry_run.hpp>
#include <ado/bench/stream/memory_need.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace ado::bench {
namespace {

Problem problem(const char* algorithm, const Shape& shape, Type type) {
  return {find_algorithm(algorithm), shape, type};
}

TEST(MemoryNeed, IsTheArraysWithTheOutputTwice) {
  EXPECT_EQ(memory_need(problem("transpose", {30, 70, 1}, Type::i32)), 3 * 30 * 70 * 4);
  EXPECT_EQ(memory_need(problem("yax", {30, 70, 1}, Type::f64)), (30 * 70 + 30 + 70 + 2) * 8);
}

TEST(MemoryNeed, HasTheGapsBetweenRows) {
  const auto apart = [](const char* algorithm, const Shape& shape) {
    Problem padded = problem(algorithm, shape, Type::f64);
    padded.row_padding = 3;
    return memory_need(padded) / 8;
  };
  EXPECT_EQ(apart("transpose", {30, 70, 1}), 30 * 73 + 2 * 70 * 33);
  EXPECT_EQ(apart("yax", {30, 70, 1}), 30 * 73 + 30 + 70 + 2) << "vectors have none";
  EXPECT_EQ(apart("average", {5, 6, 7}), 5 * 6 * 10 + 2 * 5 * 9);
}

TEST(MemoryShortage, AsksTheHostAndTheGpu) {
  DescribedDevice device(2, 0, 1000);
  const Problem fits = problem("transpose", {5, 7, 1}, Type::f32);    // 420 bytes
  const Problem larger = problem("transpose", {50, 7, 1}, Type::f32); // 4200 bytes
  const Problem huge = problem("transpose", {1 << 28, 1 << 28, 1}, Type::f32);
  EXPECT_EQ(memory_shortage(fits, device), "");
  EXPECT_EQ(memory_shortage(larger, device), "") << "a host has what is free now";
  EXPECT_EQ(memory_shortage(fits, device, {}, 420), "") << "to the last byte";
  EXPECT_NE(memory_shortage(fits, device, {}, 419), "") << "one byte is missing";
  EXPECT_NE(memory_shortage(huge, device).find("out of memory: its arrays need 864691128.5 GB, "),
            std::string::npos)
      << memory_shortage(huge, device);
  device.on_host = false;
  EXPECT_EQ(memory_shortage(fits, device), "");
  EXPECT_NE(memory_shortage(larger, device).find("on the device"), std::string::npos)
      << "not even in slices";
  device.memory_bytes = 420;
  EXPECT_EQ(memory_shortage(fits, device), "") << "to the last byte";
  device.memory_bytes = 419;
  EXPECT_NE(memory_shortage(fits, device), "") << "one byte is missing";
  device.memory_bytes = ~std::size_t{0};
  EXPECT_NE(memory_shortage(huge, device).find("on the host"), std::string::npos);
}

class DryRun : public testing::Test {
protected:
  std::string count() const {
    std::ostringstream out;
    print_case_count(out, cases_, device_);
    return out.str();
  }

  DescribedDevice device_{2, 0, 1000};
  std::vector<Case> cases_{{problem("yax", {30, 70, 1}, Type::f64), {}, {}},
                           {problem("transpose", {30, 71, 1}, Type::f64), {}, {Row(), Row()}},
                           {problem("transpose", {30, 70, 1}, Type::i32), {}, {}}};
};

TEST_F(DryRun, CountsTheCasesAndTheLargest) {
  EXPECT_EQ(count(),
            "3 cases; the largest, transpose f64: rows 30 x cols 71, needs 51.1 kB of memory\n");
  cases_.resize(1);
  EXPECT_EQ(count(), "1 case; the largest, yax f64: rows 30 x cols 70, needs 17.6 kB of memory\n");
}

TEST_F(DryRun, HasALineForEachCase) {
  cases_.push_back({problem("yax", {1 << 28, 1 << 28, 1}, Type::f32), {}, {}});
  std::ostringstream out;
  print_dry_run(out, cases_, device_);
  const std::string text = out.str();
  for (const char* line :
       {"\nyax f64: rows 30 x cols 70              ", "\ntranspose f64: rows 30 x cols 71  ",
        "     2         34.1 kB         51.1 kB  fits\n", "GB are free\n", "4 cases; ",
        "; 1 will not fit and will not run\n"})
    EXPECT_NE(text.find(line), std::string::npos) << "missing: " << line << "\nin: " << text;
}

} // namespace
} // namespace ado::bench
