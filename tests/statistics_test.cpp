// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Quartiles and noise by hand, and what ratios with intervals mean.
#include <ado/harness/statistics.hpp>

#include <gtest/gtest.h>

namespace ado {
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

Verdict verdict(double low, double ratio, double high) { return verdict_of({ratio, low, high}); }

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
} // namespace ado
