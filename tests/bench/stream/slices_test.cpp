// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How cases are cut into slices, and what is said of those that cannot be.
#include "described_device.hpp"
#include <ado/bench/stream/memory_need.hpp>
#include <ado/bench/stream/slices.hpp>
#include <ado/core/error.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace ado::bench {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20, plenty = std::size_t{1} << 50;

Problem problem(const char* algorithm, const Shape& shape, Type type = Type::f32) {
  return {find_algorithm(algorithm), shape, type};
}
/// 200 GiB in rows of 1 MiB.
const Shape large{200 * 1024, 262144, 1};

TEST(Slicing, CutsWhatFollowsTheSizeAndInputsFirst) {
  const Shape probe{1000003, 1009, 1013};
  for (const Algorithm& algorithm : algorithms()) {
    if (!algorithm.slicing) continue;
    SCOPED_TRACE(algorithm.name);
    const Slicing& slicing = *algorithm.slicing;
    const auto size = probe[static_cast<std::size_t>(slicing.size)];
    const auto specs = algorithm.arrays(probe);
    for (std::size_t k = 0; k < specs.size(); ++k) {
      const int cut = slicing.cut[k];
      for (int d = 0; d < 3; ++d) // the slicing names only that extent
        EXPECT_EQ(specs[k].extent[static_cast<std::size_t>(d)] == size, d == cut) << specs[k].name;
      EXPECT_TRUE(specs[k].output || cut <= 0) << specs[k].name << " lies in one piece";
    }
    EXPECT_EQ(slicing.cut[specs.size() - 1] == Slicing::whole, slicing.summed);
    if (slicing.across == Slicing::whole) continue;
    const auto across = probe[static_cast<std::size_t>(slicing.across)];
    for (std::size_t k = 0; k < specs.size(); ++k) {
      EXPECT_EQ(specs[k].rank, 2);
      EXPECT_EQ(specs[k].extent[static_cast<std::size_t>(1 - slicing.cut[k])], across);
    }
  }
}

/// Limits under which rows are never cut.
StreamLimits in_rows(std::size_t device_bytes = plenty) {
  return {.device_bytes = device_bytes, .host_bytes = plenty, .row_bytes = 0};
}

TEST(Slices, AreAsLargeAsTheLimitsLetThemBe) {
  const Slices slices = cut_into_slices(problem("transpose", large), in_rows());
  EXPECT_EQ(slices.length, 256u) << "of 256 MiB";
  EXPECT_EQ(slices.count, 800u);
  EXPECT_EQ(slices.period, 800u);
  EXPECT_FALSE(slices.repeats());
  EXPECT_EQ(slice_bytes(slices), 256 * mebibyte);
  const Slices shorter = cut_into_slices(problem("transpose", {4096, 262144, 1}), in_rows());
  EXPECT_EQ(shorter.count, 64u) << "the first one and the last have nobody beside them";
  const Slices small = cut_into_slices(problem("transpose", {256, 262144, 1}), in_rows());
  EXPECT_EQ(small.length, 32u) << "shorter copies are slower";
  EXPECT_EQ(cut_into_slices(problem("transpose", {10, 10, 1}), in_rows()).count, 1u);
}

TEST(Slices, AreEvenWhereTheyCanBe) {
  const Slices slices = cut_into_slices(problem("transpose", {100000, 250000, 1}), in_rows());
  EXPECT_EQ(slices.length, 256u) << "268 rows are 256 MiB";
  EXPECT_EQ(slices.count, 391u);
  EXPECT_EQ(slices.length_of(0), 256u);
  EXPECT_EQ(slices.length_of(390), 100000u - 390 * 256);
  EXPECT_EQ(slices.first(390), 390u * 256);
  EXPECT_EQ(slices.part(7).shape, (Shape{7, 250000, 1}));
}

TEST(Slices, OfThreeSlotsFitTheDevice) {
  // Each row moves 1 MiB in and 1 MiB out, in three slots.
  const std::size_t rows = 100, guards = 3 * 5 * 256;
  const std::size_t bytes = 6 * rows * mebibyte + guards;
  EXPECT_EQ(cut_into_slices(problem("transpose", large), in_rows(bytes)).length, 64u);
  EXPECT_EQ(cut_into_slices(problem("transpose", large), in_rows(6 * mebibyte + guards)).length,
            1u);
  try {
    cut_into_slices(problem("transpose", large), in_rows(6 * mebibyte + guards - 1));
    ADD_FAILURE() << "one byte is missing";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "out of memory: slices of 1 of its rows need 6.3 MB on the device, "
                               "6.3 MB are there; make the other sizes smaller, or "
                               "--device-memory larger");
  }
}

TEST(Slices, AreBlocksWhereTheirOutputsWouldBeShortRows) {
  const Slices slices = cut_into_slices(problem("transpose", large), {plenty, plenty});
  EXPECT_EQ(slices.length, 8192u) << "256 x 262144 would leave the device in rows of 1 KiB";
  EXPECT_EQ(slices.width, 8192u);
  EXPECT_EQ(slices.across(), 32u);
  EXPECT_EQ(slices.count, 800u);
  EXPECT_EQ(slice_bytes(slices), 256 * mebibyte);
  EXPECT_EQ(slices.first(31), 0u);
  EXPECT_EQ(slices.first_across(31), 31 * 8192u);
  EXPECT_EQ(slices.first(33), 8192u);
  EXPECT_EQ(slices.first_across(33), 8192u);
  EXPECT_EQ(slices.of(33).shape, (Shape{8192, 8192, 1}));
  const auto width = [](const Shape& shape, const StreamLimits& limits,
                        const std::vector<Source>& sources = {}) {
    return cut_into_slices(problem("transpose", shape), limits, sources).width;
  };
  StreamLimits limits{plenty, plenty};
  limits.row_bytes = 1024;
  EXPECT_EQ(width(large, limits), 0u) << "they are as long as that";
  limits.row_bytes = 1025;
  EXPECT_EQ(width(large, limits), 8192u);
  EXPECT_EQ(width({100000, 1024, 1}, {plenty, plenty}), 0u) << "blocks' rows would be shorter";
  EXPECT_EQ(width(large, {plenty, plenty}, {Source::read}), 0u) << "files are read in one piece";
  EXPECT_EQ(width(large, {plenty, plenty}, {Source::held}), 8192u);
  EXPECT_EQ(cut_into_slices(problem("average_mv", {99999, 64, 64}), {plenty, plenty}).width, 0u);
}

TEST(Slices, ThatAreBlocksAreNearlyEqual) {
  const Slices slices =
      cut_into_slices(problem("transpose", {100000, 250000, 1}), {plenty, plenty});
  EXPECT_EQ(slices.length, 7744u) << "8000 would leave 4000 for the last; 7693 is not even";
  EXPECT_EQ(slices.width, 8128u) << "of 8264 that would be no larger, in 31 parts";
  EXPECT_EQ(slices.count, 13u * 31);
  EXPECT_EQ(slices.corners(), (std::array<std::size_t, 4>{0, 30, 12 * 31, 13 * 31 - 1}));
  EXPECT_EQ(slices.of(30).shape, (Shape{7744, 250000 - 30 * 8128, 1}));
  EXPECT_EQ(slices.of(12 * 31 + 1).shape, (Shape{100000 - 12 * 7744, 8128, 1}));
  const Slices flat = cut_into_slices(problem("transpose", {300, 10000000, 1}), {plenty, plenty});
  EXPECT_EQ(flat.length, 300u) << "their outputs lie in one piece";
  EXPECT_GT(flat.across(), 1u);
}

/// Any shape, any limits.
TEST(Slices, ThatAreBlocksCoverAMatrixAndTakeNoMoreThanRows) {
  std::mt19937_64 random(20261122);
  const auto up_to = [&](double most) { // as many small numbers as large ones
    return static_cast<std::size_t>(
        std::exp(std::uniform_real_distribution(0.0, std::log(most))(random)));
  };
  int blocks_cut = 0, blocks_repeated = 0;
  for (int k = 0; k < 2000; ++k) {
    const Problem matrix = problem("transpose", {up_to(1e5), up_to(1e5), 1});
    StreamLimits limits{plenty, 4 * matrix.shape[1] * (4 + up_to(1e5)), 4 * up_to(1e8), 0};
    limits.device_bytes = 6 * 4 * matrix.shape[1] * up_to(1e3) + 10000;
    const Slices rows = cut_into_slices(matrix, limits);
    limits.row_bytes = std::size_t{1} << up_to(20);
    const Slices slices = cut_into_slices(matrix, limits);
    SCOPED_TRACE(::testing::Message() << matrix.shape[0] << " x " << matrix.shape[1] << " in "
                                      << slices.length << " x " << slices.width);
    ASSERT_LE(slice_bytes(slices), slice_bytes(rows));
    const std::size_t last = slices.count - 1;
    ASSERT_EQ(slices.first(last) + slices.length_of(last), matrix.shape[0]);
    ASSERT_GT(slices.length_of(last), 0u);
    ASSERT_EQ(slices.repeats(), rows.repeats());
    if (slices.across() == 1) continue;
    ++blocks_cut;
    ASSERT_EQ(slices.first_across(last) + slices.width_of(last), matrix.shape[1]);
    ASSERT_GT(slices.width_of(last), 0u);
    ASSERT_GT(std::min(slices.length, slices.width), rows.length) << "no row is shorter";
    if (!slices.repeats()) continue;
    ++blocks_repeated;
    ASSERT_GT(slices.period, Slices::slots);
    ASSERT_EQ(slices.period % slices.across(), 0u);
    ASSERT_LE(slices.of_period().shape[0] * matrix.shape[1] * 4, limits.host_bytes);
  }
  EXPECT_GT(blocks_cut, 200);
  EXPECT_GT(blocks_repeated, 50);
}

TEST(Slices, HaveRoomForWhatIsNotCutAndForWorkspaces) {
  const Problem product = problem("average_mv", {100000, 1024, 64}); // 256 KiB a set, a takes 4 MiB
  const std::size_t bytes = 3 * 64 * 256 * 1024 + 4 * mebibyte;
  const auto length = [&](std::size_t device_bytes, const std::vector<const Variant*>& variants) {
    return cut_into_slices(product, {device_bytes, plenty}, {}, variants).length;
  };
  const std::size_t outputs = 3 * 64 * 1024 * 4, guards = 3 * 5 * 256 + 512;
  EXPECT_EQ(length(bytes + outputs + guards, {}), 64u);
  EXPECT_EQ(length(bytes + outputs + guards - 1, {}), 63u);
  Variant variant{};
  variant.types = real_types;
  variant.workspace_bytes = [](const Shape& shape, Type) { return shape[0] * 256 * 1024; };
  EXPECT_LT(length(bytes + outputs + guards, {&variant}), 33u);
  EXPECT_GT(length(bytes + outputs + guards, {&variant}), 30u);
  variant.workspace_bytes = [](const Shape&, Type) { return std::size_t{1} << 30; };
  EXPECT_EQ(length(bytes + outputs + guards, {&variant}), 64u) << "it fails alone";
  variant.types = {Type::f64}; // does not run with f32
  EXPECT_EQ(length(bytes + outputs + guards, {&variant}), 64u);
}

TEST(Slices, RepeatDataThatTheHostCannotHold) {
  const Slices slices = cut_into_slices(problem("yax", large), {plenty, 16384 * mebibyte});
  EXPECT_TRUE(slices.repeats());
  EXPECT_EQ(slices.period, 16384 * mebibyte / slice_bytes(slices));
  EXPECT_EQ(slices.of_period().shape[0], slices.period * slices.length);
  // What a slot held before must never equal what comes next.
  for (const std::size_t mib : {1, 8, 100, 700, 1024}) {
    const Slices few = cut_into_slices(problem("yax", large), {plenty, mib * mebibyte});
    EXPECT_GT(few.period, Slices::slots) << mib;
    EXPECT_LE(few.period * slice_bytes(few), std::max(mib, std::size_t{8}) * mebibyte);
  }
  const std::vector<Source> from_file{Source::made, Source::read, Source::made};
  EXPECT_FALSE(
      cut_into_slices(problem("yax", large), {plenty, 16384 * mebibyte}, from_file).repeats())
      << "y alone is made, and small";
  const std::vector<Source> in_memory{Source::made, Source::held, Source::made};
  EXPECT_FALSE(cut_into_slices(problem("yax", large), {plenty, mebibyte}, in_memory).repeats());
}

TEST(Slices, OfNothingAreNone) {
  EXPECT_EQ(cut_into_slices(problem("yax", {0, 100, 1}), {plenty, plenty}).count, 0u);
  const Slices empty = cut_into_slices(problem("average", {100, 10, 0}), {plenty, plenty});
  EXPECT_EQ(empty.count, 1u) << "a slice without bytes may be as long as all";
  EXPECT_EQ(empty.length_of(0), 100u);
}

TEST(IsStreamed, WhatDoesNotFitTheDeviceOrItsCap) {
  DescribedDevice device(2, 0, 1000);
  const Problem case_of_420 = problem("transpose", {5, 7, 1});
  EXPECT_FALSE(is_streamed(problem("transpose", {50, 70, 1}), device)) << "a host without a cap";
  device.memory_cap = 420;
  EXPECT_FALSE(is_streamed(case_of_420, device)) << "to the last byte";
  device.memory_cap = 419;
  EXPECT_TRUE(is_streamed(case_of_420, device));
  EXPECT_TRUE(moves_data(case_of_420, device));
  Problem apart = case_of_420;
  apart.row_padding = 3;
  EXPECT_FALSE(is_streamed(apart, device)) << "slices are packed";
  EXPECT_FALSE(is_streamed(problem("pipeline", {500, 700, 1}), device));
  EXPECT_TRUE(moves_data(problem("pipeline", {500, 700, 1}), device));
  EXPECT_FALSE(is_streamed(problem("yax", {std::size_t{1} << 40, 100, 1}), device))
      << "it would take hours";
  device.memory_cap.reset();
  device.on_host = false;
  EXPECT_FALSE(is_streamed(case_of_420, device));
  device.memory_bytes = 419;
  EXPECT_TRUE(is_streamed(case_of_420, device));
}

TEST(MemoryShortage, OfAStreamIsThatOfItsSlices) {
  DescribedDevice device(2, 0, plenty);
  device.memory_cap = 100000;
  EXPECT_EQ(memory_shortage(problem("transpose", {500, 700, 1}), device), "");
  EXPECT_NE(
      memory_shortage(problem("transpose", {5, 70000, 1}), device).find("slices of 1 of its rows"),
      std::string::npos);
  const Problem wide = problem("transpose", {std::size_t{1} << 28, 1000, 1});
  device.memory_cap = std::size_t{1} << 33;
  EXPECT_NE(memory_shortage(wide, device).find("on the host"), std::string::npos)
      << "its output, 1 TB, stays there";
  const Problem huge = problem("yax", {std::size_t{1} << 40, 100, 1});
  EXPECT_NE(memory_shortage(huge, device).find("are allowed by --device-memory, and it cannot be"),
            std::string::npos);
}

TEST(MemoryShortage, OfRowsThatLieApartSaysThatTheyAreNotStreamed) {
  DescribedDevice device(2, 0, plenty);
  Problem apart = problem("transpose", {500, 700, 1});
  apart.row_padding = 3;
  EXPECT_EQ(memory_shortage(apart, device), "");
  device.memory_cap = 100000;
  EXPECT_NE(memory_shortage(apart, device)
                .find("allowed by --device-memory, and with --row-padding it is not streamed"),
            std::string::npos)
      << memory_shortage(apart, device);
}

TEST(StreamNote, SaysWhatTheSlicesAre) {
  StreamFacts facts{.slices = 96, .slice_bytes = 64000000, .period = 96};
  EXPECT_EQ(stream_note(facts), "streamed: 96 slices of 64.0 MB");
  facts.period = 8;
  EXPECT_EQ(stream_note(facts), "streamed: 96 slices of 64.0 MB, made data repeats after 8");
  facts.device_bytes = 200000000;
  EXPECT_EQ(stream_note(facts),
            "streamed: 96 slices of 64.0 MB, 200.0 MB on the device, made data repeats after 8");
  EXPECT_EQ(stream_note({.slices = 1, .slice_bytes = 10, .period = 1, .reads_files = true}),
            "streamed: 1 slice of 10 bytes from files");
}

} // namespace
} // namespace ado::bench
