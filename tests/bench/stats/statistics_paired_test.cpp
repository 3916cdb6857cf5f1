// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Signed ranks and their interval against published values, and how often verdicts are wrong.
// ADO_VERDICTS=1 prints how often, by noise.
#include <ado/bench/measure/measure.hpp>
#include <ado/bench/stats/statistics_paired.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace ado::bench {
namespace {

/// Sums over the usual table of Wilcoxon's signed-rank test, two-sided, 5 %, n = 6 to 30.
TEST(PairedRatio, SignedRanksHaveThePublishedCriticalValues) {
  const std::array<std::size_t, 25> critical{0,  2,  3,  5,  8,  10, 13, 17, 21,  25,  29,  34, 40,
                                             46, 52, 58, 65, 73, 81, 89, 98, 107, 116, 126, 137};
  for (std::size_t k = 0; k < critical.size(); ++k)
    EXPECT_EQ(signed_rank_cut(k + 6, 0.025), critical[k] + 1) << "n = " << k + 6;
  for (const std::size_t n : {1, 2, 3, 4, 5})
    EXPECT_EQ(signed_rank_cut(n, 0.025), 0u) << "n = " << n;
}

/// Hollander and Wolfe, table 3.1 with examples 3.3 and 3.4: nine patients before and after, the
/// estimate -.46, the interval from -.786 to -.010. Logarithms of ratios are as good as any
/// numbers.
TEST(PairedRatio, RatioHasThePublishedEstimateAndInterval) {
  const std::vector<double> before{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
  const std::vector<double> after{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
  std::vector<double> down(9), up(9);
  for (std::size_t k = 0; k < 9; ++k)
    down[k] = -(up[k] = before[k] - after[k]);
  const Ratio ratio = signed_rank_ratio(down, 0.05);
  EXPECT_NEAR(std::log(ratio.value), -0.46, 1e-9);
  EXPECT_NEAR(std::log(ratio.low), -0.786, 1e-9);
  EXPECT_NEAR(std::log(ratio.high), -0.010, 1e-9);
  const Ratio inverse = signed_rank_ratio(up, 0.05);
  EXPECT_NEAR(inverse.value * ratio.value, 1, 1e-12);
  EXPECT_NEAR(inverse.low * ratio.high, 1, 1e-12);
  EXPECT_NEAR(inverse.high * ratio.low, 1, 1e-12);
}

TEST(PairedRatio, TooFewPairsHaveARatioAndNoInterval) {
  const std::vector<double> a{2, 4, 2, 4, 3, 8, 2, 4, 2}, b{1, 2, 1, 2, 1.5, 2, 1, 2, 1};
  const Ratio eight = paired_ratio({a.begin(), a.end() - 1}, b);
  EXPECT_DOUBLE_EQ(eight.value, 2);
  EXPECT_FALSE(eight.has_interval());
  const Ratio nine = paired_ratio(a, b);
  EXPECT_TRUE(nine.has_interval());
  EXPECT_DOUBLE_EQ(nine.value, 2);
  EXPECT_DOUBLE_EQ(nine.low, 2);
  EXPECT_GT(nine.high, 4) << "wider than the ranks alone say";
}

/// Noise of the logarithm of a time. It may last: autoregressive of first order.
struct Noise {
  const char* name;
  double scatter;
  double lasts = 0;                ///< correlation between successive runs
  double often_a = 0, often_b = 0; ///< how often a run takes up to 20 % longer
  bool of_machine = false;         ///< hits whichever variant runs; otherwise each has its own
};

/// Times of two variants in turn, on a machine that slows down meanwhile.
class Simulation {
public:
  Simulation(const Noise& noise, double ratio, std::uint64_t seed)
      : noise_(noise), ratio_(ratio), random_(seed), a_(normal_(random_)), b_(normal_(random_)) {}

  void run(std::vector<double>& a, std::vector<double>& b) {
    drift_ += 1e-4;
    if (noise_.of_machine) {
      const bool a_is_first = uniform_(random_) < 0.5;
      const double first = next(a_, noise_.often_a), second = next(a_, noise_.often_a);
      a.push_back(1e-3 * drift_ * ratio_ * (a_is_first ? first : second));
      b.push_back(1e-3 * drift_ * (a_is_first ? second : first));
      return;
    }
    a.push_back(1e-3 * drift_ * ratio_ * next(a_, noise_.often_a));
    b.push_back(1e-3 * drift_ * next(b_, noise_.often_b));
  }
  /// What the mini-app finally says.
  Ratio measured() {
    Measurement a, b;
    Stop stop({.min_time = 0, .timeout = 3});
    do
      run(a.seconds, b.seconds);
    while (!stop.after({&a, &b}, 2e-3 * static_cast<double>(a.seconds.size())));
    runs += a.seconds.size();
    return paired_ratio(a.seconds, b.seconds);
  }
  std::size_t runs = 0;

private:
  double next(double& state, double often) {
    state = noise_.lasts * state + std::sqrt(1 - noise_.lasts * noise_.lasts) * normal_(random_);
    const double disturbed = uniform_(random_) < often ? 1 + 0.2 * uniform_(random_) : 1;
    return disturbed * std::exp(noise_.scatter * state);
  }
  Noise noise_;
  double ratio_, drift_ = 1;
  std::mt19937_64 random_;
  std::normal_distribution<> normal_;
  std::uniform_real_distribution<> uniform_;
  double a_, b_;
};

struct Outcome {
  double wrong = 0, undecided = 0, runs = 0; ///< shares of all sets, and runs per set
};

Outcome outcome_of(const Noise& noise, double ratio, int sets) {
  const Verdict right = ratio == 1 ? Verdict::same : Verdict::slower;
  Outcome outcome;
  for (int set = 0; set < sets; ++set) {
    Simulation simulation(noise, ratio, static_cast<std::uint64_t>(set));
    const Verdict verdict = verdict_of(simulation.measured());
    outcome.undecided += verdict == Verdict::inconclusive ? 1.0 / sets : 0;
    outcome.wrong += verdict != right && verdict != Verdict::inconclusive ? 1.0 / sets : 0;
    outcome.runs += static_cast<double>(simulation.runs) / sets;
  }
  return outcome;
}

/// At most one verdict in twenty is wrong, whatever the noise and however often one looks; one in
/// ten if a variant has noise of its own that lasts for tens of runs.
TEST(PairedRatio, FewVerdictsAreWrong) {
  constexpr int sets = 300;
  for (const Noise& noise :
       {Noise{"quiet", 0.002}, Noise{"noisy", 0.02}, Noise{"lasts", 0.005, 0.5},
        Noise{"lasts and is large", 0.02, 0.5}, Noise{"lasts long", 0.005, 0.9},
        Noise{"lasts long and is middling", 0.01, 0.9}, Noise{"lasts long and is large", 0.02, 0.9},
        Noise{"both are disturbed", 0.02, 0, 0.1, 0.1}, Noise{"one is disturbed", 0.005, 0, 0.1},
        Noise{"one is disturbed, and noisy", 0.015, 0, 0.1},
        Noise{"the machine, lasts long", 0.02, 0.9, 0.1, 0, true},
        Noise{"the machine, lasts longer", 0.05, 0.99, 0.1, 0, true}})
    for (const double ratio : {1.0, 1.03}) {
      const Outcome outcome = outcome_of(noise, ratio, sets);
      const bool own_lasts = noise.lasts > 0.5 && !noise.of_machine;
      EXPECT_LE(outcome.wrong, own_lasts ? 0.1 : 0.05) << noise.name << ", " << ratio;
      if (std::getenv("ADO_VERDICTS") != nullptr)
        std::printf("%-28s %5.1f %% %4.2f %4.2f: wrong %4.1f %%, undecided %5.1f %%, %5.0f runs\n",
                    noise.name, 100 * noise.scatter, noise.lasts, ratio, 100 * outcome.wrong,
                    100 * outcome.undecided, outcome.runs);
    }
}

/// 20 pairs of a quiet machine: half as wide as with a correlation raised by three standard
/// deviations, 1.14 %.
TEST(PairedRatio, TwentyQuietPairsHaveANarrowInterval) {
  std::vector<double> widths;
  for (std::uint64_t set = 0; set < 300; ++set) {
    Simulation simulation({"quiet", 0.002}, 1, set);
    std::vector<double> a, b;
    for (int pair = 0; pair < 20; ++pair)
      simulation.run(a, b);
    const Ratio ratio = paired_ratio(a, b);
    widths.push_back(std::log(ratio.high / ratio.low));
  }
  EXPECT_LT(median(widths), 0.0057);
}

/// An infinite interval would never be wrong.
TEST(PairedRatio, QuietMachinesAreDecidedSoon) {
  for (const double ratio : {1.0, 1.03}) {
    EXPECT_LT(outcome_of({"quiet", 0.002}, ratio, 100).runs, 30);
    const Outcome usual = outcome_of({"usual", 0.01}, ratio, 100);
    EXPECT_LT(usual.undecided, 0.05);
    EXPECT_LT(usual.runs, 120);
  }
}

} // namespace
} // namespace ado::bench
