// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops that measure a CPU's ceilings do the work that is counted.
#include <ado/bench/device/host_ceilings.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace ado::bench {
namespace {

constexpr std::size_t count = 4 * 2048 * 6; // whole blocks of host_read()

TEST(HostCeilings, EachRegisterIsRead) {
  for (std::size_t hole = 0; hole < count; hole += 4) {
    if (hole % 1000 != 0 && hole > 64) continue;
    std::vector<double> data(count, 1), sums(3);
    data[hole] = 0.5; // the first lane of a register
    host_read(data.data(), count, count, sums.data(), 3);
    // A quarter of the numbers is in first lanes.
    ASSERT_EQ(std::accumulate(sums.begin(), sums.end(), 0.0), 0.25 * count - 0.5) << hole;
  }
}

// Reads two blocks three times each, and nothing behind them.
TEST(HostCeilings, WhatStaysInTheCacheIsReadAgainAndAgain) {
  constexpr std::size_t period = count / 3;
  for (const std::size_t one : {std::size_t{0}, period - 8192, period - 8, period, count - 8}) {
    std::vector<double> data(count, 0), sums(3);
    data[one] = 1; // the first lane of a register
    host_read(data.data(), count, period, sums.data(), 3);
    EXPECT_EQ(std::accumulate(sums.begin(), sums.end(), 0.0), one < period ? 3 : 0) << one;
  }
}

TEST(HostCeilings, EachNumberIsWrittenAndCopied) {
  alignas(64) static double from[count], to[count];
  std::iota(from, from + count, 1);
  host_copy(from, to, count, 3);
  EXPECT_TRUE(std::equal(from, from + count, to));
  host_write(to, count, 3);
  for (std::size_t k = 0; k < count; ++k)
    ASSERT_EQ(to[k], static_cast<double>(k % 8 + 1)) << k;
}

TEST(HostCeilings, OperationsGrowWithLengthLanesAndThreads) {
  double of_double[3] = {};
  float of_float[3] = {};
  const double operations = host_multiply_add(100, of_double, 1);
  EXPECT_GE(operations, 2 * 100.0);
  EXPECT_EQ(host_multiply_add(300, of_double, 1), 3 * operations);
  EXPECT_EQ(host_multiply_add(100, of_double, 3), 3 * operations);
  EXPECT_EQ(host_multiply_add(100, of_float, 1), 2 * operations);
  for (int thread = 0; thread < 3; ++thread) {
    // Each chain c of a thread t goes from t + c towards 999, each time by a thousandth of the
    // rest.
    double sum = 0;
    for (int c = 0; c < 10; ++c)
      sum += 999 + (thread + c - 999) * std::pow(0.999, 100);
    host_multiply_add(100, of_double, 3);
    EXPECT_NEAR(of_double[thread], sum, 1e-9 * sum);
  }
}

} // namespace
} // namespace ado::bench
