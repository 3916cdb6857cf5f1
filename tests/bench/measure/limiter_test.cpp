// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rule for what limits a kernel, the cures, and what experiments mean.
#include <ado/bench/measure/limiter.hpp>
#include <ado/bench/profile/diagnose.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace ado::bench {
namespace {

TEST(Limiter, FollowsTheRuleOfNsightCompute) {
  EXPECT_EQ(limiter_by_rule(10, 80), "memory, near the roof");
  EXPECT_EQ(limiter_by_rule(80, 79.9), "compute, near the roof");
  EXPECT_EQ(limiter_by_rule(10, 79.9), "memory");
  EXPECT_EQ(limiter_by_rule(60, 50), "compute");
  EXPECT_EQ(limiter_by_rule(50.1, 60), "balanced");
  EXPECT_EQ(limiter_by_rule(59.9, 59.9), "latency");
  EXPECT_EQ(limiter_by_rule(59.9, 20, 1.0), "latency");
  EXPECT_EQ(limiter_by_rule(20, 59.9, 0.99), "latency, small grid");
  EXPECT_EQ(limiter_by_rule(20, 60, 0.5), "memory"); // waves count if nothing is busy
}

TEST(Limiter, EstimatesAreOfBytesAndOperationsOverTheCeilings) {
  const Ceilings ceilings{1e12, 1e12, 1e12, 1e13, 1e13, 1e-6};
  const Traffic traffic{8e9, 2e9, 1e9}; // 10 ms at the ceilings, 0.1 ms of operations
  EXPECT_EQ(estimate_limiter(ceilings, traffic, Type::f64, 0.0101, {}), "memory, near the roof");
  EXPECT_EQ(estimate_limiter(ceilings, traffic, Type::f64, 0.0150, {}), "memory");
  EXPECT_EQ(estimate_limiter(ceilings, traffic, Type::f64, 0.0170, {}), "latency");
  EXPECT_EQ(estimate_limiter(ceilings, traffic, Type::f64, 0.0170, 0.5), "latency, small grid");
}

/// Pieces alone in their blocks move at the scattered rates, contiguous ones at the others; in
/// between, the share of holes interpolates.
TEST(Ceilings, ScatteredPiecesTakeLonger) {
  Ceilings ceilings{4e12, 1e12, 2e12, 1e13, 1e13, 1e-6};
  const MemoryTraffic beside{64e9, 0, 0, 0}, alone{64e9, 0, 3 * 64e9, 0},
      every_other{64e9, 0, 64e9, 0};
  EXPECT_DOUBLE_EQ(ceilings.memory_seconds(alone), 16e-3) << "nobody measured scattered pieces";
  ceilings.scattered_read = 2.5e12;
  ceilings.scattered_update = 0.5e12;
  EXPECT_DOUBLE_EQ(ceilings.memory_seconds(beside), 16e-3);
  EXPECT_DOUBLE_EQ(ceilings.memory_seconds(alone), 64e9 / 2.5e12);
  EXPECT_DOUBLE_EQ(ceilings.memory_seconds(every_other), (2 * 16e-3 + 64e9 / 2.5e12) / 3);
  EXPECT_DOUBLE_EQ(ceilings.memory_seconds(MemoryTraffic{32e9, 32e9, 0, 0}), 32e-3);
  EXPECT_DOUBLE_EQ(ceilings.memory_seconds(MemoryTraffic{32e9, 32e9, 0, 7 * 32e9}), 64e9 / 0.5e12);
}

/// A hole never speeds anything up, whatever rates were measured.
TEST(Ceilings, ScatteredPiecesAreNotFaster) {
  Ceilings ceilings{4e12, 1e12, 2e12, 1e13, 1e13, 1e-6};
  ceilings.scattered_read = 5e12;
  ceilings.scattered_update = 3e12;
  EXPECT_DOUBLE_EQ(ceilings.memory_seconds(MemoryTraffic{64e9, 0, 64e9, 64e9}), 16e-3);
}

/// Bytes that are read and written in pairs move at copy speed, the others at their own.
TEST(Ceilings, BandwidthIsOfTheMixOfReadsAndWrites) {
  const Ceilings ceilings{3e12, 1e12, 2e12, 1e13, 1e13, 1e-6};
  EXPECT_DOUBLE_EQ(ceilings.bandwidth({5, 0, 0}), 3e12);
  EXPECT_DOUBLE_EQ(ceilings.bandwidth({8, 2, 0}), 1 / (0.6 / 3e12 + 0.4 / 2e12));
  EXPECT_DOUBLE_EQ(ceilings.bandwidth({5, 5, 0}), 2e12);
  EXPECT_DOUBLE_EQ(ceilings.bandwidth({1, 3, 0}), 1 / (0.5 / 2e12 + 0.5 / 1e12));
  EXPECT_DOUBLE_EQ(ceilings.bandwidth({0, 7, 0}), 1e12);
}

constexpr Cause with_cures[] = {Cause::few_teams, Cause::uncoalesced, Cause::bank_conflicts,
                                Cause::few_bytes};

TEST(Cures, AreRungsThatThereAre) {
  std::size_t cures = 0;
  for (const Algorithm& algorithm : algorithms())
    for (const Cause cause : with_cures) {
      const std::string cure = cure_for(cause, algorithm.name, "");
      if (cure.empty()) continue;
      ++cures;
      EXPECT_TRUE(std::any_of(variants().begin(), variants().end(),
                              [&](const Variant& v) {
                                return v.algorithm == algorithm.name &&
                                       "`" + std::string(v.name) + "`" == cure;
                              }))
          << cure << " of " << algorithm.name;
    }
  EXPECT_GE(cures, 10u);
}

TEST(Cures, LieBehindTheRungThatNeedsThem) {
  EXPECT_EQ(cure_for(Cause::uncoalesced, "average_mv", "block_per_set"), "`coalesced`");
  // A rung that cures nothing is a start, never the cure.
  EXPECT_EQ(cure_for(Cause::uncoalesced, "average_mv", "thread_mv"), "`vector_mv`");
  EXPECT_EQ(cure_for(Cause::uncoalesced, "average_mv", "coalesced"), "`vector_mv`");
  EXPECT_EQ(cure_for(Cause::uncoalesced, "average_mv", "vector_mv"), "");
  EXPECT_EQ(cure_for(Cause::few_bytes, "yax", "team"), "");
  EXPECT_EQ(cure_for(Cause::few_teams, "yax", "one_team"), "`row_per_thread`");
  // Another form of a rung is not further down the ladder.
  EXPECT_EQ(cure_for(Cause::few_teams, "yax", "row_per_thread"), "`row_per_vector`");
  EXPECT_EQ(cure_for(Cause::few_teams, "yax", "row_per_thread_left"), "`row_per_vector`");
  EXPECT_EQ(cure_for(Cause::few_teams, "yax", "row_per_vector_atomic"), "`team`");
  EXPECT_EQ(cure_for(Cause::few_bytes, "yax", "row_per_thread_left"), "`row_per_thread_batched`");
  // A rung further down is no cure, even if it would help.
  EXPECT_EQ(cure_for(Cause::few_bytes, "yax", "row_per_vector"), "`team`");
  EXPECT_EQ(cure_for(Cause::uncoalesced, "transpose", "tiled_padded"), "");
  EXPECT_EQ(cure_for(Cause::none, "yax", "row_per_team"), "");
  EXPECT_EQ(cure_for(Cause::bank_conflicts, "", ""), "`tiled_padded` (transpose)");
  EXPECT_EQ(cure_for(Cause::few_teams, "", ""),
            "`block_per_set` (average_mv), `row_per_thread` (yax)");
}

class Diagnosing : public testing::Test {
protected:
  static const Variant& variant(std::string_view algorithm, std::string_view name) {
    return *std::find_if(variants().begin(), variants().end(), [&](const Variant& v) {
      return v.algorithm == algorithm && v.name == name && v.model == Model::kokkos;
    });
  }
  static Experiments full_gpu() {
    Experiments found;
    found.on_host = false;
    found.at_twice = 2;
    found.at_four_times = 4;
    found.in_cache = 0.5;
    return found;
  }
  /// The verdict on a kernel of which nothing else is known.
  static Diagnosis of(const Experiments& found) {
    return diagnose(found, "latency", variant("vector_add", "strided"));
  }
  static void expect_words(const Diagnosis& diagnosis, const std::string& words) {
    EXPECT_EQ(diagnosis.cause, Cause::none);
    EXPECT_NE(diagnosis.reason.find(words), std::string::npos) << diagnosis.reason;
    EXPECT_EQ(diagnosis.reason.find("bytes in flight"), std::string::npos) << diagnosis.reason;
  }
};

/// An N-body problem in 28 kB waits for no memory, nor does what is as slow in a cache.
TEST_F(Diagnosing, WhatACacheHoldsDoesNotWaitForMemory) {
  Experiments found = full_gpu();
  found.on_host = true;
  found.in_cache = 0;
  found.fits_cache = true;
  expect_words(of(found), "its data fit a cache, so it waits for its own instructions");
  found.global = {1, 32, 4};
  expect_words(of(found), "dependency chains, branches, or uses few bytes of each line");
  found.global = {};
  found.fits_cache = false;
  found.in_cache = 0.9;
  expect_words(of(found), "it is no faster if its data lie in a cache");
  found.in_cache = 0.75;
  EXPECT_EQ(of(found).cause, Cause::few_bytes);
}

TEST_F(Diagnosing, OneThreadThatIsAsFastAsAllMeansThatTheyWaitForEachOther) {
  Experiments found = full_gpu();
  found.on_host = found.fits_cache = true;
  found.in_cache = 0;
  found.threads = 8;
  found.one_thread = 1.1;
  expect_words(of(found), "one thread is as fast as 8: they wait for each other");
  found.one_thread = 7;
  expect_words(of(found), "it waits for its own instructions");
  found.one_thread = 1.1;
  found.cores_are_free = false;
  expect_words(of(found), "8 threads share their cores with other programs");
}

TEST_F(Diagnosing, WithoutEvidenceItDoesNotKnow) {
  Experiments found = full_gpu();
  found.in_cache = 0;
  expect_words(of(found), "these experiments do not tell");
  found.again = 1.4;
  found.at_four_times = 33.79;
  expect_words(of(found), "none: two runs of the same work differ by a factor of 1.4");
}

/// At twice the size, n^2 operations take four times as long: the device is full.
TEST_F(Diagnosing, TimeIsComparedWithTheWork) {
  Experiments found = full_gpu();
  found.work_twice = 4;
  found.work_four_times = 16;
  found.at_four_times = 9;
  const Diagnosis d = of(found);
  EXPECT_EQ(d.cause, Cause::few_teams);
  EXPECT_NE(d.reason.find("16 times the work takes 9.0 times as long"), std::string::npos)
      << d.reason;
  found.at_four_times = 15;
  EXPECT_EQ(of(found).cause, Cause::few_bytes);
}

TEST_F(Diagnosing, TimeThatDoesNotGrowWithTheWorkMeansADeviceThatIsNotFull) {
  Experiments found = full_gpu();
  found.at_four_times = 1.3;
  found.global = {1, 32, 4}; // not the reason yet
  const Diagnosis d = diagnose(found, "latency", variant("yax", "one_team"));
  EXPECT_EQ(d.cause, Cause::few_teams);
  EXPECT_EQ(d.cure, "`row_per_thread`");
  EXPECT_NE(d.reason.find("1.3 times as long"), std::string::npos) << d.reason;
}

TEST_F(Diagnosing, AGridThatDoesNotFillTheGpuIsSeenWhateverTheTime) {
  Experiments found = full_gpu(); // one team walks through all the work
  found.waves = 0.01;
  EXPECT_EQ(diagnose(found, "latency, small grid", variant("average_mv", "one_block")).cure,
            "`block_per_set`");
}

TEST_F(Diagnosing, PredictedAccessesExplainAFullGpu) {
  Experiments found = full_gpu();
  found.global = {1, 32, 8};
  Diagnosis d = diagnose(found, "latency", variant("transpose", "flat"));
  EXPECT_EQ(d.cure, "`tiled`");
  EXPECT_NE(d.reason.find("75 %"), std::string::npos) << d.reason;
  found.global = {1, 16, 8}; // half of them
  EXPECT_EQ(diagnose(found, "latency", variant("transpose", "flat")).cause, Cause::uncoalesced);
  found.global = {1, 15, 8};
  EXPECT_NE(diagnose(found, "latency", variant("transpose", "flat")).cause, Cause::uncoalesced);
  found.global = {1, 8, 8};
  found.shared = {2, 34, 4};
  d = diagnose(found, "latency", variant("transpose", "tiled"));
  EXPECT_EQ(d.cure, "`tiled_padded`");
  EXPECT_NE(d.reason.find("88 %"), std::string::npos) << d.reason;
  found.on_host = true; // a host has no sectors and no banks
  EXPECT_EQ(diagnose(found, "latency", variant("transpose", "tiled")).cause, Cause::few_bytes);
}

TEST_F(Diagnosing, OnAHostScatteredLanesMayBeTheStepsOfAThread) {
  Experiments found = full_gpu();
  found.on_host = true;
  found.global = {1, 32, 4};
  Diagnosis d = diagnose(found, "latency", variant("vector_add", "strided"));
  EXPECT_EQ(d.cause, Cause::few_bytes);
  EXPECT_EQ(d.cure, "`wide` or `coalesced`");
  EXPECT_NE(d.reason.find("few bytes of each line"), std::string::npos) << d.reason;
  found.global = {1, 4, 4};
  d = diagnose(found, "latency", variant("vector_add", "strided"));
  EXPECT_EQ(d.cure, "`wide`");
  EXPECT_EQ(d.reason.find("of each line"), std::string::npos) << d.reason;
}

TEST_F(Diagnosing, ABetterTeamSizeIsACureWhereAccessesAreInOrder) {
  Experiments found = full_gpu();
  found.team_sizes = {{32, 1.4}, {64, 0.8}, {128, 0.85}, {256, 1}};
  EXPECT_EQ(diagnose(found, "latency", variant("yax", "row_per_vector")).cure, "--team-size 64");
  found.global = {1, 32, 8};
  EXPECT_EQ(diagnose(found, "latency", variant("yax", "one_team")).cause, Cause::uncoalesced);
  found.global = {};
  found.team_sizes = {{32, 1.4}, {64, 0.95}};
  EXPECT_EQ(diagnose(found, "latency", variant("yax", "row_per_vector")).cure, "`team`");
}

TEST_F(Diagnosing, WhatIsAtItsLimitHasNoCure) {
  const Diagnosis d =
      diagnose(full_gpu(), "memory, near the roof", variant("transpose", "tiled_padded"));
  EXPECT_EQ(d.cause, Cause::none);
  EXPECT_EQ(d.cure, "");
  EXPECT_EQ(diagnose(full_gpu(), "compute", variant("yax", "team")).cause, Cause::none);
}

} // namespace
} // namespace ado::bench
