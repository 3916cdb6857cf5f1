// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quartiles and noise by hand, and what ratios with intervals mean.
#include <ado/bench/stats/statistics.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace ado::bench {
namespace {

TEST(Statistics, QuantilesInterpolate) {
  EXPECT_EQ(quantile({7}, 0.5), 7);
  EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantile({4, 1, 3, 2}, 0.5), 2.5);
  EXPECT_EQ(quantile({4, 1, 3, 2}, 0), 1);
  EXPECT_EQ(quantile({4, 1, 3, 2}, 1), 4);
  EXPECT_EQ(quantile({10, 20, 30, 40, 50}, 0.25), 20);
  EXPECT_EQ(quantile({0, 10}, 0.75), 7.5);
  EXPECT_EQ(median({5, 1}), 3);
}

TEST(Statistics, NoiseIsTheDistanceOfTheQuartilesOverTheMedian) {
  EXPECT_EQ(noise({50, 10, 40, 20, 32}), 0.625) << "40 - 20 over 32";
  EXPECT_EQ(noise({3}), 0);
}

TEST(Statistics, ManyValuesAreGroupsOfNeighbours) {
  std::vector<double> values(128);
  std::iota(values.begin(), values.end(), 0.0);
  EXPECT_EQ(medians_of_groups(values), values);
  values.push_back(200);
  const std::vector<double> pairs = medians_of_groups(values);
  ASSERT_EQ(pairs.size(), 65u);
  EXPECT_EQ(pairs[1], 2.5);
  EXPECT_EQ(pairs.back(), 200) << "what is left over";
  EXPECT_EQ(medians_of_groups(std::vector<double>(5120, 1)).size(), 128u);
  EXPECT_EQ(medians_of_groups({7}), std::vector<double>{7});
}

/// For many autoregressive values the variance of the mean is (1 + c) / (1 - c) times that of
/// independent ones.
TEST(Statistics, AnIntervalIsWidenedByWhatLasts) {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  const auto values = [&](std::size_t count, double lasts) {
    std::vector<double> list;
    double state = normal(generator);
    for (std::size_t k = 0; k < count; ++k)
      list.push_back(state = lasts * state + std::sqrt(1 - lasts * lasts) * normal(generator));
    return list;
  };
  EXPECT_NEAR(widening(values(100000, 0)), 1, 0.02);
  EXPECT_NEAR(widening(values(100000, 0.5)), std::sqrt(3), 0.05);
  EXPECT_NEAR(widening(values(100000, 0.9)), std::sqrt(19), 0.3);
  EXPECT_LT(widening(values(128, 0)), 1.6);
  EXPECT_GT(widening(values(10, 0)), 3) << "so few say little of what lasts";
  EXPECT_TRUE(std::isinf(widening({1}))) << "and one says nothing";
  EXPECT_TRUE(std::isfinite(widening({1, 1})));
}

TEST(Statistics, WideningIsOfTheLogarithm) {
  const Ratio wide = widened({2, 1, 8}, 2);
  EXPECT_DOUBLE_EQ(wide.low, 0.5);
  EXPECT_DOUBLE_EQ(wide.high, 32);
  EXPECT_FALSE(widened({.value = 2}, 2).has_interval());
  EXPECT_FALSE(widened({2, 1, 8}, HUGE_VAL).has_interval());
}

Verdict verdict(double low, double ratio, double high) { return verdict_of({ratio, low, high}); }

TEST(Statistics, AnIntervalThatLeavesTheOrderOfMagnitudeOpenIsOpen) {
  EXPECT_TRUE(is_open({1.2, 0.0001, 1401}));
  EXPECT_TRUE(is_open({1.2, 0.5, 5}));
  EXPECT_FALSE(is_open({1.2, 0.5, 4.9}));
  EXPECT_FALSE(is_open({20, 2, 200})) << "surely slower";
  EXPECT_FALSE(is_open({0.05, 0.005, 0.5})) << "surely faster";
  EXPECT_FALSE(is_open({.value = 1.2})) << "no interval";
}

TEST(VerdictOf, NeedsTheIntervalAndTheLeastEffect) {
  EXPECT_EQ(verdict(1.001, 1.02, 1.04), Verdict::slower);
  EXPECT_EQ(verdict(1.001, 1.01, 1.04), Verdict::slower);
  EXPECT_EQ(verdict(0.999, 1.02, 1.04), Verdict::inconclusive) << "the interval holds 1";
  EXPECT_EQ(verdict(1.001, 1.009, 1.011), Verdict::inconclusive) << "perhaps too small to matter";
  EXPECT_EQ(verdict(1.001, 1.005, 1.009), Verdict::same) << "surely too small to matter";
  EXPECT_EQ(verdict(1, 1, 1), Verdict::same);
  EXPECT_EQ(verdict(0.96, 0.98, 0.999), Verdict::faster);
  EXPECT_EQ(verdict(0.96, 0.98, 1.001), Verdict::inconclusive);
  EXPECT_EQ(verdict(0.989, 0.995, 0.999), Verdict::inconclusive);
  EXPECT_EQ(verdict(0.9, 1, 1.1), Verdict::inconclusive);
  EXPECT_EQ(verdict_of({.value = 1.5}), Verdict::inconclusive) << "too few runs";
}

} // namespace
} // namespace ado::bench
