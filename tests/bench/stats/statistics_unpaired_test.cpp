// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The estimate of a ratio and its interval against all pairs, printed tables and simulation.
#include <ado/bench/stats/statistics_unpaired.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace ado::bench {
namespace {

std::vector<double> times(std::size_t count, double scale, double noise, std::mt19937& generator) {
  std::normal_distribution<double> normal(0, noise);
  std::vector<double> list(count);
  for (double& time : list)
    time = scale * std::exp(normal(generator));
  return list;
}

std::vector<double> sorted_ratios(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> list;
  for (const double x : a)
    for (const double y : b)
      list.push_back(y / x);
  std::sort(list.begin(), list.end());
  return list;
}

struct Sizes {
  std::size_t n, m;
  std::size_t critical; ///< of the two-sided Mann-Whitney test, from printed tables
  Confidence confidence = Confidence::percent_95;
};

TEST(RankSumRatio, TheIntervalEndsWhereTheTablesSay) {
  std::mt19937 generator(1);
  for (const auto& [n, m, critical, confidence] :
       {Sizes{4, 4, 0}, Sizes{5, 5, 2}, Sizes{3, 5, 0}, Sizes{5, 3, 0}, Sizes{8, 12, 22},
        Sizes{12, 8, 22}, Sizes{10, 10, 23}, Sizes{20, 20, 127}, Sizes{7, 20, 34},
        Sizes{5, 5, 0, Confidence::percent_99}, Sizes{8, 8, 7, Confidence::percent_99},
        Sizes{8, 12, 15, Confidence::percent_99}, Sizes{12, 12, 27, Confidence::percent_99},
        Sizes{20, 20, 105, Confidence::percent_99}, Sizes{7, 20, 24, Confidence::percent_99}}) {
    const auto a = times(n, 1e-3, 0.2, generator), b = times(m, 2e-3, 0.2, generator);
    const auto ratios = sorted_ratios(a, b);
    const Ratio e = rank_sum_ratio(a, b, confidence);
    ASSERT_TRUE(e.has_interval()) << n << ", " << m;
    EXPECT_NEAR(e.low, ratios[critical], 1e-12 * e.low) << n << ", " << m;
    EXPECT_NEAR(e.high, ratios[ratios.size() - 1 - critical], 1e-12 * e.high) << n << ", " << m;
    const std::size_t middle = ratios.size() / 2;
    const double median =
        ratios.size() % 2 == 1 ? ratios[middle] : std::sqrt(ratios[middle - 1] * ratios[middle]);
    EXPECT_NEAR(e.value, median, 1e-12 * median) << n << ", " << m;
  }
}

TEST(RankSumRatio, TooFewTimesHaveNone) {
  for (const auto& [n, m, unused, by] :
       {Sizes{1, 1, 0}, Sizes{3, 3, 0}, Sizes{1, 38, 0}, Sizes{2, 7, 0}}) {
    const Ratio e = rank_sum_ratio(std::vector<double>(n, 2.0), std::vector<double>(m, 3.0));
    EXPECT_FALSE(e.has_interval()) << n << ", " << m;
    EXPECT_DOUBLE_EQ(e.value, 1.5);
  }
  const std::vector<double> four(4, 1.0);
  EXPECT_TRUE(rank_sum_ratio(four, four).has_interval());
  EXPECT_FALSE(rank_sum_ratio(four, four, Confidence::percent_99).has_interval());
  EXPECT_TRUE(rank_sum_ratio({1.0}, std::vector<double>(39, 1.0)).has_interval());
  EXPECT_TRUE(rank_sum_ratio({1.0, 1.0}, std::vector<double>(8, 1.0)).has_interval());
}

TEST(RankSumRatio, EqualTimesAreExactlyEqual) {
  const Ratio e = rank_sum_ratio(std::vector<double>(10, 0.3), std::vector<double>(7, 0.3));
  EXPECT_EQ(e.value, 1);
  EXPECT_EQ(e.low, 1);
  EXPECT_EQ(e.high, 1);
}

/// 95 or 99 intervals of 100 hold the truth: by exact counting (10 and 13 times) and by the normal
/// distribution (40 and 50).
TEST(RankSumRatio, TheIntervalHoldsTheTruthAsOftenAsItSays) {
  std::mt19937 generator(2);
  for (const auto& [n, m, unused, confidence] :
       {Sizes{10, 13, 0}, Sizes{40, 50, 0}, Sizes{40, 50, 0, Confidence::percent_99}}) {
    constexpr int trials = 4000;
    int held = 0;
    for (int k = 0; k < trials; ++k) {
      const auto a = times(n, 1, 0.1, generator), b = times(m, 1.2, 0.1, generator);
      const Ratio e = rank_sum_ratio(a, b, confidence);
      held += e.low <= 1.2 && 1.2 <= e.high ? 1 : 0;
    }
    // The standard deviation of the share is 0.35 %; the levels are discrete, so up to 96 %.
    const bool wide = confidence == Confidence::percent_99; // 0.16 %
    EXPECT_GT(held, (wide ? 0.984 : 0.939) * trials) << n;
    EXPECT_LT(held, (wide ? 0.996 : 0.971) * trials) << n;
  }
}

TEST(UnpairedRatio, LongListsAreShortened) {
  std::mt19937 generator(3);
  const auto a = times(100000, 1, 0.1, generator), b = times(100000, 1.05, 0.1, generator);
  const Ratio e = unpaired_ratio(a, b);
  EXPECT_NEAR(e.value, 1.05, 0.005);
  EXPECT_GT(e.low, 1.04);
  EXPECT_LT(e.high, 1.06);
}

/// Slow runs follow slow runs, and still the interval holds the truth as often as it says.
TEST(UnpairedRatio, NoiseThatLastsMakesTheIntervalWider) {
  std::mt19937 generator(4);
  std::normal_distribution<double> normal;
  const auto lasting = [&](std::size_t count) {
    std::vector<double> list;
    double state = normal(generator);
    for (std::size_t k = 0; k < count; ++k) {
      state = 0.9 * state + std::sqrt(1 - 0.81) * normal(generator);
      list.push_back(std::exp(0.02 * state));
    }
    return list;
  };
  for (const std::size_t count : {10u, 40u, 1000u}) {
    constexpr int trials = 300;
    int held = 0, by_ranks_alone = 0;
    for (int k = 0; k < trials; ++k) {
      const auto a = lasting(count), b = lasting(count);
      const Ratio wide = unpaired_ratio(a, b);
      const Ratio narrow = rank_sum_ratio(medians_of_groups(a), medians_of_groups(b));
      held += wide.low <= 1 && 1 <= wide.high ? 1 : 0;
      by_ranks_alone += narrow.low <= 1 && 1 <= narrow.high ? 1 : 0;
    }
    EXPECT_GE(held, 0.95 * trials) << count;
    EXPECT_LT(by_ranks_alone, 0.8 * trials) << count;
  }
}

} // namespace
} // namespace ado::bench
