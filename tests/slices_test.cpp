// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How cases are cut into slices, and what is said of those that cannot be.
#include "described_device.hpp"
#include <ado/core/error.hpp>
#include <ado/core/registry.hpp>
#include <ado/harness/memory_need.hpp>
#include <ado/harness/slices.hpp>

#include <gtest/gtest.h>

namespace ado {
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
      for (int d = 0; d < 3; ++d) // the slicing names that extent and no other
        EXPECT_EQ(specs[k].extent[static_cast<std::size_t>(d)] == size, d == cut) << specs[k].name;
      EXPECT_TRUE(specs[k].output || cut <= 0) << specs[k].name << " lies in one piece";
    }
    EXPECT_EQ(slicing.cut[specs.size() - 1] == Slicing::whole, slicing.summed);
  }
}

TEST(Slices, AreAsLargeAsTheLimitsLetThemBe) {
  const Slices slices = cut_into_slices(problem("transpose", large), {plenty, plenty});
  EXPECT_EQ(slices.length, 256u) << "of 256 MiB";
  EXPECT_EQ(slices.count, 800u);
  EXPECT_EQ(slices.period, 800u);
  EXPECT_FALSE(slices.repeats());
  EXPECT_EQ(slice_bytes(slices), 256 * mebibyte);
  const Slices shorter = cut_into_slices(problem("transpose", {4096, 262144, 1}), {plenty, plenty});
  EXPECT_EQ(shorter.count, 64u) << "the first one and the last have nobody beside them";
  const Slices small = cut_into_slices(problem("transpose", {256, 262144, 1}), {plenty, plenty});
  EXPECT_EQ(small.length, 32u) << "shorter copies are slower";
  EXPECT_EQ(cut_into_slices(problem("transpose", {10, 10, 1}), {plenty, plenty}).count, 1u);
}

TEST(Slices, AreEvenWhereTheyCanBe) {
  const Slices slices =
      cut_into_slices(problem("transpose", {100000, 250000, 1}), {plenty, plenty});
  EXPECT_EQ(slices.length, 256u) << "268 rows are 256 MiB";
  EXPECT_EQ(slices.count, 391u);
  EXPECT_EQ(slices.length_of(0), 256u);
  EXPECT_EQ(slices.length_of(390), 100000u - 390 * 256);
  EXPECT_EQ(slices.first(390), 390u * 256);
  EXPECT_EQ(slices.part(7).shape, (Shape{7, 250000, 1}));
}

TEST(Slices, OfThreeSlotsFitTheDevice) {
  // Of a row 1 MiB comes in and 1 MiB goes out, in three slots.
  const std::size_t rows = 100, guards = 3 * 5 * 256;
  const std::size_t bytes = 6 * rows * mebibyte + guards;
  EXPECT_EQ(cut_into_slices(problem("transpose", large), {bytes, plenty}).length, 64u);
  EXPECT_EQ(cut_into_slices(problem("transpose", large), {6 * mebibyte + guards, plenty}).length,
            1u);
  try {
    cut_into_slices(problem("transpose", large), {6 * mebibyte + guards - 1, plenty});
    ADD_FAILURE() << "one byte is missing";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "out of memory: slices of 1 of its rows need 6.3 MB on the device, "
                               "6.3 MB are there; make the other sizes smaller, or "
                               "--device-memory larger");
  }
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
  // What a slot held before must never be what comes next.
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
} // namespace ado
