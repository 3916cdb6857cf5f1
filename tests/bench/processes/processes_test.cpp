// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the ratios of several processes say together.
#include <ado/bench/run/results.hpp>
#include <ado/bench/stats/statistics_paired.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace ado::bench {
namespace {

RowResult row_of(const std::vector<Ratio>& processes) {
  RowResult row{.problem = {}, .name = {}};
  row.portable.seconds = {2, 2};
  row.native.seconds = {1, 1};
  row.processes = processes;
  return row;
}

Ratio ratio(double logarithm, double half_width) {
  return {std::exp(logarithm), std::exp(logarithm - half_width), std::exp(logarithm + half_width)};
}

TEST(Processes, TheIntervalIsThatOfTheirRatios) {
  const auto one = portable_over_native(row_of({}));
  ASSERT_TRUE(one);
  EXPECT_DOUBLE_EQ(one->value, 2) << "of the runs, if there is one process";
  const auto six = portable_over_native(row_of({ratio(0.1, 0.001), ratio(0.3, 0.001), ratio(0, 1),
                                                ratio(0.2, 0), ratio(0.25, 0), ratio(0.15, 0)}));
  ASSERT_TRUE(six);
  const std::vector<double> logarithms{0.1, 0.3, 0, 0.2, 0.25, 0.15};
  const Ratio least = signed_rank_ratio(logarithms, 0.05);
  EXPECT_NEAR(least.high, std::exp(0.3), 1e-12) << "the most of six, whatever each one says";
  EXPECT_DOUBLE_EQ(six->high, widened(least, widening(logarithms)).high);
  EXPECT_DOUBLE_EQ(six->low, widened(least, widening(logarithms)).low);
  RowResult wrong = row_of({ratio(0, 0)});
  wrong.portable.seconds.clear();
  EXPECT_FALSE(portable_over_native(wrong)) << "it failed in one process";
}

TEST(Processes, FewerThanSixHaveNoInterval) {
  EXPECT_FALSE(
      portable_over_native(row_of(std::vector<Ratio>(5, ratio(0.1, 0.01))))->has_interval());
  EXPECT_TRUE(
      portable_over_native(row_of(std::vector<Ratio>(6, ratio(0.1, 0.01))))->has_interval());
}

TEST(Processes, ScatterIsBetweenThemOrWithinThem) {
  const auto apart = scatter_of_processes(row_of({ratio(0.1, 0), ratio(-0.1, 0)}));
  ASSERT_TRUE(apart);
  EXPECT_NEAR(apart->between, 0.1 * std::sqrt(2), 1e-12);
  EXPECT_EQ(apart->within, 0);
  const auto alike = scatter_of_processes(row_of({ratio(0.5, 0.2807), ratio(0.5, 0.2807)}));
  ASSERT_TRUE(alike);
  EXPECT_EQ(alike->between, 0);
  EXPECT_NEAR(alike->within, 0.1, 1e-12);
  const auto one_is_wide =
      scatter_of_processes(row_of({ratio(0.1, 0.01), ratio(-0.1, 0.01), ratio(2, 5)}));
  ASSERT_TRUE(one_is_wide);
  EXPECT_NEAR(one_is_wide->between, 0.1 * std::sqrt(2), 0.01);

  EXPECT_FALSE(scatter_of_processes(row_of({ratio(0, 0), Ratio{}}))) << "one has no interval";
  EXPECT_FALSE(scatter_of_processes(row_of({})));
  EXPECT_FALSE(scatter_of_processes(row_of({ratio(0, 0)})));
}

/// The interval holds the middle of all processes, of which eight are drawn, at least as often as
/// it says: also if what disturbs one process lasts into the next.
TEST(Processes, NineteenOfTwentyIntervalsHoldTheTruth) {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  for (const double lasts : {0.0, 0.5}) {
    int held = 0;
    constexpr int trials = 2000;
    for (int trial = 0; trial < trials; ++trial) {
      std::vector<Ratio> processes;
      double disturbance = 0.05 * normal(generator);
      for (int k = 0; k < 8; ++k) {
        processes.push_back(ratio(0.2 + disturbance, 0.028));
        disturbance = lasts * disturbance + 0.05 * std::sqrt(1 - lasts * lasts) * normal(generator);
      }
      const Ratio found = *portable_over_native(row_of(processes));
      held += found.low <= std::exp(0.2) && std::exp(0.2) <= found.high ? 1 : 0;
    }
    EXPECT_GE(held, trials * 0.94) << lasts;
  }
}

} // namespace
} // namespace ado::bench
