// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signed ranks and their interval against published values, and how often the interval holds the
// true ratio.
#include <ado/harness/statistics_paired.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace ado {
namespace {

/// The usual table of Wilcoxon's signed-rank test, two-sided, 5 %, n = 6 to 30: sums up to these.
TEST(PairedRatio, SignedRanksHaveThePublishedCriticalValues) {
  const std::array<std::size_t, 25> critical{0,  2,  3,  5,  8,  10, 13, 17, 21,  25,  29,  34, 40,
                                             46, 52, 58, 65, 73, 81, 89, 98, 107, 116, 126, 137};
  for (std::size_t k = 0; k < critical.size(); ++k)
    EXPECT_EQ(signed_rank_cut(k + 6, 0.025), critical[k] + 1) << "n = " << k + 6;
  for (const std::size_t n : {1, 2, 3, 4, 5})
    EXPECT_EQ(signed_rank_cut(n, 0.025), 0u) << "n = " << n;
}

std::vector<double> exponentials(std::vector<double> values) {
  for (double& value : values)
    value = std::exp(value);
  return values;
}

/// Hollander and Wolfe, table 3.1 with examples 3.3 and 3.4: nine patients before and after, the
/// estimate -.46, the interval from -.786 to -.010. Times whose logarithms these are.
TEST(PairedRatio, RatioHasThePublishedEstimateAndInterval) {
  const auto before = exponentials({1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30});
  const auto after = exponentials({0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29});
  const Ratio ratio = paired_ratio(after, before, 0.05);
  EXPECT_NEAR(std::log(ratio.value), -0.46, 1e-9);
  EXPECT_NEAR(std::log(ratio.low), -0.786, 1e-9);
  EXPECT_NEAR(std::log(ratio.high), -0.010, 1e-9);
  const Ratio inverse = paired_ratio(before, after, 0.05);
  EXPECT_NEAR(inverse.value * ratio.value, 1, 1e-12);
  EXPECT_NEAR(inverse.low * ratio.high, 1, 1e-12);
  EXPECT_NEAR(inverse.high * ratio.low, 1, 1e-12);
}

TEST(PairedRatio, TooFewPairsHaveARatioAndNoInterval) {
  const std::vector<double> a{2, 4, 2, 4, 3, 8, 2, 4, 2}, b{1, 2, 1, 2, 1.5, 2, 1, 2, 1};
  const std::vector<double> five{2, 4, 2, 4, 3, 100}, only_five{1, 2, 1, 2, 1.5};
  EXPECT_DOUBLE_EQ(paired_ratio(five, only_five, 0.05).value, 2);
  EXPECT_FALSE(paired_ratio(five, only_five, 0.05).has_interval());
  EXPECT_FALSE(paired_ratio({a.begin(), a.end() - 1}, b).has_interval());
  const Ratio nine = paired_ratio(a, b);
  EXPECT_TRUE(nine.has_interval());
  EXPECT_DOUBLE_EQ(nine.low, 2);
  EXPECT_DOUBLE_EQ(nine.value, 2);
  EXPECT_DOUBLE_EQ(nine.high, 4);
}

/// Times of two variants in turn: log-normal noise of 2 %, one run in ten up to 20 % longer, and a
/// machine that slows down meanwhile.
class Simulation {
public:
  explicit Simulation(std::uint64_t seed) : random_(seed) {}
  Ratio estimate(std::size_t pairs, double ratio) {
    std::vector<double> a, b;
    for (std::size_t k = 0; k < pairs; ++k) {
      const double drift = 1 + 0.3 * static_cast<double>(k) / static_cast<double>(pairs);
      a.push_back(ratio * drift * noise());
      b.push_back(drift * noise());
    }
    return paired_ratio(a, b, 0.05);
  }

private:
  double noise() {
    const double disturbed = uniform_(random_) < 0.1 ? 1 + 0.2 * uniform_(random_) : 1;
    return disturbed * std::exp(0.02 * normal_(random_));
  }
  std::mt19937_64 random_;
  std::normal_distribution<> normal_;
  std::uniform_real_distribution<> uniform_;
};

/// 2000 sets leave the share a standard deviation of 0.005; an interval of rank sums holds the truth
/// in 95 % or a little more. 130 pairs go in groups.
TEST(PairedRatio, TheIntervalHoldsTheTrueRatioInNinetyFivePercent) {
  constexpr int sets = 2000;
  for (const std::size_t pairs : {9, 10, 20, 30, 130}) {
    Simulation simulation(pairs);
    int held = 0;
    for (int set = 0; set < sets; ++set) {
      const Ratio ratio = simulation.estimate(pairs, 1.03);
      held += ratio.low <= 1.03 && 1.03 <= ratio.high ? 1 : 0;
      ASSERT_LE(ratio.low, ratio.value);
      ASSERT_LE(ratio.value, ratio.high);
    }
    const double share = held / static_cast<double>(sets);
    EXPECT_GT(share, 0.935) << pairs << " pairs";
    EXPECT_LT(share, 0.98) << pairs << " pairs";
  }
}

} // namespace
} // namespace ado
