// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The arithmetic behind the oracles: sums in twice double's precision, and the error bound.
#include <ado/core/bound.hpp>
#include <ado/registry/wide.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

namespace ado::bench {
namespace {

using namespace ado::detail;

WideSum sum_of(const std::vector<double>& terms) {
  WideSum sum;
  for (const double term : terms)
    sum.add(term);
  return sum;
}

TEST(WideSum, KeepsWhatDoubleLoses) {
  EXPECT_EQ(sum_of({1e16, 1, -1e16}).high(), 1);
  EXPECT_EQ(sum_of({1, 1e100, 1, -1e100}).high(), 2);
  EXPECT_EQ(sum_of({0x1p53, 1, 1, -0x1p53}).high(), 2);
  const WideSum sum = sum_of({1, 0x1p-80});
  EXPECT_EQ(sum.high(), 1);
  EXPECT_EQ(sum.low(), 0x1p-80);
}

TEST(WideSum, KeepsWholeProducts) {
  WideSum square; // (1 + 2^-30)^2 = 1 + 2^-29 + 2^-60
  square.add_product(1 + 0x1p-30, 1 + 0x1p-30);
  EXPECT_EQ(square.high(), 1 + 0x1p-29);
  EXPECT_EQ(square.low(), 0x1p-60);
  WideSum three; // 3 * (1 + 2^-80)
  three.add_product(3, sum_of({1, 0x1p-80}));
  EXPECT_EQ(three.high(), 3);
  EXPECT_EQ(three.low(), 3 * 0x1p-80);
  three.add(sum_of({-3, 0x1p-80}));
  EXPECT_EQ(three.high(), 0x1p-78);
  EXPECT_EQ(three.low(), 0);
}

TEST(WideSum, IllConditionedInAnyOrder) {
  // Integers of up to 63 bits and their negatives cancel to the last bit; 1 / 1024 is left.
  std::mt19937_64 random(3);
  std::vector<double> terms(1, 0x1p-10);
  for (int k = 0; k < 1000; ++k) {
    const double term =
        std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 10));
    terms.insert(terms.end(), {term, -term});
  }
  for (int order = 0; order < 10; ++order) {
    std::shuffle(terms.begin(), terms.end(), random);
    EXPECT_GT(std::fabs(std::accumulate(terms.begin(), terms.end(), 0.0)), 100) << "too easy";
    EXPECT_EQ(sum_of(terms).high(), 0x1p-10);
  }
}

TEST(WideSum, InfinityAndNaNAsInAPlainSum) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sum_of({1, inf, 2}).high(), inf);
  EXPECT_EQ(sum_of({1, inf, 2}).low(), 0);
  EXPECT_EQ(sum_of({1, -inf, 2}).high(), -inf);
  EXPECT_TRUE(std::isnan(sum_of({inf, -inf, 1}).high()));
  EXPECT_TRUE(std::isnan(sum_of({1, std::nan("")}).high()));
  WideSum product;
  product.add_product(0, inf);
  EXPECT_TRUE(std::isnan(product.high()));
}

TEST(GammaBound, Values) {
  EXPECT_EQ(gamma_bound(0, 0x1p-53), 0);
  EXPECT_EQ(gamma_bound(1, 0.25), 1.0 / 3);
  EXPECT_EQ(gamma_bound(3, 0.25), 3);
  EXPECT_EQ(gamma_bound(1 << 20, 0x1p-24), 1.0 / 15);
  EXPECT_EQ(gamma_bound(1 << 24, 0x1p-24), std::numeric_limits<double>::infinity());
  EXPECT_EQ(gamma_bound(1e9, 0x1p-24), std::numeric_limits<double>::infinity());
}

TEST(TreeDepth, IsTheCeilingOfTheLogarithm) {
  const std::vector<std::pair<std::size_t, double>> depths{
      {0, 0}, {1, 0}, {2, 1}, {3, 2}, {4, 2}, {5, 3}, {32, 5}, {33, 6}, {1024, 10}, {1025, 11}};
  for (const auto& [leaves, depth] : depths)
    EXPECT_EQ(tree_depth(leaves), depth) << leaves;
}

} // namespace
} // namespace ado::bench
