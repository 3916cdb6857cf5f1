// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which rule ends the runs of a row, for made-up times.
#include <ado/bench/measure/measure.hpp>
#include <ado/bench/stats/statistics_paired.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <random>

namespace ado::bench {
namespace {

/// The time of a run, counted from 0.
using Times = std::function<double(std::size_t)>;

struct End {
  std::size_t reps;
  std::string by;
  friend bool operator==(const End&, const End&) = default;
  friend std::ostream& operator<<(std::ostream& out, const End& end) {
    return out << end.reps << " by " << end.by;
  }
};

/// Runs the variants in turn until the rule ends it; one turn takes `turn_seconds` on the wall
/// clock.
std::vector<Measurement> run(const StopRule& rule, const std::vector<Times>& variants,
                             double turn_seconds = 0, std::size_t batch = 1) {
  std::vector<Measurement> measured(variants.size());
  std::vector<const Measurement*> all;
  for (Measurement& m : measured) {
    m.batch = batch;
    all.push_back(&m);
  }
  Stop stop(rule);
  std::size_t turn = 0;
  do {
    for (std::size_t k = 0; k < variants.size(); ++k)
      measured[k].seconds.push_back(variants[k](turn));
    ++turn;
  } while (!stop.after(all, turn_seconds * static_cast<double>(turn)));
  measured[0].stopped_by = stop.by();
  return measured;
}

End end_of(const StopRule& rule, const std::vector<Times>& variants, double turn_seconds = 0,
           std::size_t batch = 1) {
  const auto measured = run(rule, variants, turn_seconds, batch);
  return {measured[0].seconds.size(), measured[0].stopped_by};
}

Times always(double seconds) {
  return [=](std::size_t) { return seconds; };
}
/// Uniform noise of +-`share`, the same on each call.
Times around(double seconds, double share, unsigned seed) {
  return [=](std::size_t turn) {
    std::mt19937_64 random(seed + 1000 * turn);
    return seconds * (1 + share * (2 * std::uniform_real_distribution<>()(random) - 1));
  };
}

TEST(Stop, RepsAreExactWhateverTheTime) {
  for (const std::size_t reps : {1, 7, 40})
    EXPECT_EQ(end_of({.reps = reps}, {around(1, 0.5, 1), around(1, 0.5, 2)}, 1e6),
              (End{reps, "reps"}));
  EXPECT_EQ(end_of({.reps = 40, .timeout = 8}, {always(1)}, 1), (End{8, "timeout"}));
}

TEST(Stop, TenRunsOrTheLeastTimeOfTheSlowerVariant) {
  EXPECT_EQ(end_of({.min_time = 0.2}, {always(0.1)}), (End{10, "reps"}));
  EXPECT_EQ(end_of({.min_time = 2}, {always(0.125)}), (End{16, "min_time"}));
  EXPECT_EQ(end_of({.min_time = 2}, {always(0.001), always(0.125)}), (End{16, "min_time"}));
  EXPECT_EQ(end_of({.min_time = 2}, {always(0.0125)}, 0, 10), (End{16, "min_time"}));
}

TEST(Stop, TheTimeoutLeavesThreeRuns) {
  EXPECT_EQ(end_of({.min_time = 1, .timeout = 4}, {always(1)}, 1), (End{4, "timeout"}));
  EXPECT_EQ(end_of({.min_time = 1, .timeout = 4}, {always(1)}, 9), (End{3, "timeout"}));
  EXPECT_EQ(end_of({.min_time = 0.2}, {always(0.001)}, 0.5), (End{18, "timeout"}))
      << "15 x 0.2 s, but 20 runs";
  EXPECT_EQ(end_of({.min_time = 0.2}, {always(0.001)}, 1.5), (End{6, "timeout"}))
      << "and three times as long at most";
}

TEST(Stop, ABriefRowHasThreeRunsOrALongOne) {
  EXPECT_EQ(end_of({.min_time = 1, .brief = true}, {always(0.09), always(0.001)}),
            (End{3, "reps"}));
  EXPECT_EQ(end_of({.min_time = 1, .brief = true}, {always(0.001), always(0.11)}),
            (End{1, "reps"}));
}

TEST(Stop, NoiseOfEitherVariantGoesOn) {
  // Half of the first twelve runs take 10 % longer, then none: after 20 runs that is more than a
  // quarter, after 40 it is less.
  const Times settles = [](std::size_t turn) { return turn < 12 && turn % 2 == 0 ? 1.1 : 1.0; };
  EXPECT_EQ(end_of({}, {settles}), (End{10, "reps"}));
  const End end = end_of({.max_noise = 0.02}, {settles});
  EXPECT_EQ(end, (End{40, "noise"}));
  EXPECT_EQ(end_of({.max_noise = 0.02}, {always(5), settles}), end);
  EXPECT_EQ(end_of({.max_noise = 0.2}, {settles}), (End{10, "reps"}));
}

TEST(Stop, APairGoesOnUntilItsRatioIsDecided) {
  EXPECT_EQ(end_of({}, {always(1), always(1.05)}), (End{10, "reps"}));
  EXPECT_EQ(end_of({}, {always(1), always(1.005)}), (End{10, "reps"})) << "within 1 %";
  const End end = end_of({}, {around(1.03, 0.1, 1), around(1, 0.1, 2)});
  EXPECT_EQ(end.by, "decided");
  EXPECT_TRUE(end.reps == 40 || end.reps == 80 || end.reps == 160) << end.reps;
  EXPECT_EQ(end_of({}, {around(1.03, 0.1, 1)}), (End{10, "reps"})) << "one has no ratio";
}

/// Two equal variants, at most 320 runs of each. Checking a 95 % interval after every run until it
/// excludes 1 finds a difference in 119 of 300 rows.
TEST(Stop, LookingUntilDecidedFindsNoDifferenceWhereThereIsNone) {
  constexpr unsigned rows = 1000;
  unsigned found = 0;
  for (unsigned row = 0; row < rows; ++row) {
    const auto measured =
        run({.timeout = 320}, {around(1, 0.3, 2 * row), around(1, 0.3, 2 * row + 1)}, 1);
    const Verdict verdict = verdict_of(paired_ratio(measured[0].seconds, measured[1].seconds));
    found += verdict == Verdict::slower || verdict == Verdict::faster ? 1 : 0;
  }
  EXPECT_LE(found, rows * 0.05);
}

TEST(Stop, WhatStaysUndecidedOrNoisyEnds) {
  EXPECT_EQ(end_of({.timeout = 40}, {around(1.01, 0.3, 1), around(1, 0.3, 2)}, 1),
            (End{40, "timeout"}));
  EXPECT_EQ(end_of({.max_noise = 0}, {around(1, 0.1, 1)}), (End{5120, "most_reps"}));
}

} // namespace
} // namespace ado::bench
