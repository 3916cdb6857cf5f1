// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Theoretical occupancy against values worked out by hand for an H200 (compute capability 9.0). A
// multiprocessor has 64 warps, 32 blocks, 65536 registers and 228 KiB of shared memory; each block
// takes 1 KiB more than it asked for.
#include <ado/bench/cuda/occupancy.hpp>

#include <gtest/gtest.h>

namespace ado::bench {
namespace {

cudaDeviceProp h200() {
  cudaDeviceProp device{};
  device.major = 9;
  device.warpSize = 32;
  device.maxThreadsPerBlock = 1024;
  device.maxThreadsPerMultiProcessor = 2048;
  device.regsPerBlock = device.regsPerMultiprocessor = 65536;
  device.sharedMemPerBlock = 48 << 10;
  device.sharedMemPerBlockOptin = 227 << 10;
  device.sharedMemPerMultiprocessor = 228 << 10;
  device.reservedSharedMemPerBlock = 1 << 10;
  device.multiProcessorCount = 132;
  return device;
}

LaunchFacts kernel(int threads, int registers, int static_shared = 0, int dynamic_shared = 0,
                   int carveout = -1, int blocks = 1) {
  LaunchFacts facts;
  facts.grid = {blocks, 1, 1};
  facts.block = {threads, 1, 1};
  facts.registers = registers;
  facts.static_shared_bytes = static_shared;
  facts.dynamic_shared_bytes = dynamic_shared;
  add_occupancy(facts, h200(), carveout);
  return facts;
}

void expect(const LaunchFacts& facts, int warps, const std::string& limited_by) {
  EXPECT_EQ(facts.resident_warps, warps);
  EXPECT_EQ(facts.maximum_warps, 64);
  EXPECT_EQ(facts.limited_by, limited_by);
}

TEST(Occupancy, NothingLimitsAFullMultiprocessor) {
  expect(kernel(256, 32), 64, "");
  EXPECT_EQ(kernel(256, 32).occupancy(), 1);
}

TEST(Occupancy, WavesAreTheGridOverWhatTheGpuHolds) {
  EXPECT_EQ(kernel(256, 64, 0, 0, -1, 132).waves, 0.25); // four blocks fit a multiprocessor
  EXPECT_EQ(kernel(256, 32, 0, 0, -1, 1320).waves, 1.25);
}

TEST(Occupancy, RegistersLimit) {
  expect(kernel(256, 64), 32, "registers"); // 64 x 32 per warp, 65536 / 2048
  EXPECT_EQ(kernel(256, 64).occupancy(), 0.5);
  expect(kernel(1024, 33), 32, "registers"); // in units of 256 per warp: one more costs a block
  expect(kernel(1024, 32), 64, "");
  expect(kernel(256, 255), 8, "registers");
}

TEST(Occupancy, SharedMemoryLimits) {
  expect(kernel(128, 32, 0, 100 << 10), 8, "shared memory"); // 228 / 101: two blocks of four warps
  expect(kernel(128, 32, 40 << 10), 20, "shared memory");    // 228 / 41
  expect(kernel(128, 32, 20 << 10, 20 << 10), 20, "shared memory"); // static and dynamic add up
  expect(kernel(128, 32, 40 << 10, 0, 50), 12, "shared memory");    // 132 / 41: half as L1 cache
}

TEST(Occupancy, BlocksLimit) {
  expect(kernel(768, 24), 48, "block size");      // a third block of 24 warps does not fit
  expect(kernel(32, 32), 32, "number of blocks"); // 32 blocks of one warp
  expect(kernel(33, 32), 64, "");                 // a partial warp counts whole
}

TEST(Occupancy, AllDimensionsOfABlockCount) {
  LaunchFacts facts;
  facts.block = {32, 8, 3};
  facts.registers = 24;
  add_occupancy(facts, h200(), -1);
  expect(facts, 48, "block size");
}

TEST(Occupancy, OfAnUnknownGpuStaysUnknown) {
  cudaDeviceProp device = h200();
  device.major = 99;
  LaunchFacts facts;
  facts.block = {256, 1, 1};
  facts.registers = 32;
  add_occupancy(facts, device, -1);
  EXPECT_EQ(facts.maximum_warps, 0);
  EXPECT_EQ(facts.occupancy(), 0);
}

} // namespace
} // namespace ado::bench
