// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an access pattern moves between memory and the chip, and which holes it leaves.
#include <ado/registry/access_pattern.hpp>
#include <ado/vector_add/accesses.hpp>

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace ado::bench {
namespace {

// Bytes per f32 element. A stride of 2 uses half of each sector: 8 bytes move for each of a and b,
// 8 for c, and 8 more because c's sectors are read before they are partly written. From 64 bytes on
// each element costs a burst of a and b, and a sector of c, in and out.
TEST(MemoryTraffic, PartsOfSectorsAreReadBeforeTheyAreWritten) {
  const int strides[] = {1, 2, 4, 8, 16, 32};
  const double gpu_read[] = {8, 24, 48, 96, 160, 160}, gpu_written[] = {4, 8, 16, 32, 32, 32};
  const double cpu_read[] = {8, 24, 48, 96, 192, 192}, cpu_written[] = {4, 8, 16, 32, 64, 64};
  for (std::size_t k = 0; k < std::size(strides); ++k) {
    const auto strided = vector_add_accesses::strided({1 << 16, 1, 1}, Type::f32, strides[k]);
    const MemoryTraffic gpu = memory_traffic(strided, gpu_memory),
                        cpu = memory_traffic(strided, cpu_memory);
    EXPECT_EQ(gpu.read, gpu_read[k] * (1 << 16)) << strides[k];
    EXPECT_EQ(gpu.written, gpu_written[k] * (1 << 16)) << strides[k];
    EXPECT_EQ(cpu.read, cpu_read[k] * (1 << 16)) << strides[k];
    EXPECT_EQ(cpu.written, cpu_written[k] * (1 << 16)) << strides[k];
  }
  EXPECT_EQ(memory_traffic({}, gpu_memory).read, 0);
}

Access store_of(std::size_t apart, std::size_t together) {
  return {"c",
          Space::global,
          Direction::store,
          4,
          8,
          1,
          [=](std::size_t warp, std::size_t lane, std::size_t) {
            const std::size_t k = warp * warp_lanes + lane;
            return (k / together * apart + k % together) * 4;
          }};
}

// Every other sector, whole: nothing has to be read before the write.
TEST(MemoryTraffic, WholeSectorsAreNotReadBefore) {
  const Access whole = store_of(16, 8);
  EXPECT_EQ(memory_traffic({whole}, gpu_memory).read, 0);
  EXPECT_EQ(memory_traffic({whole}, gpu_memory).written, 8 * 32 * 4);
  EXPECT_EQ(memory_traffic({whole}, cpu_memory).read, 8 * 4 * 64);
}

// Pieces that a request leaves out within blocks of 256 bytes. By hand: 32 lanes have 31 gaps.
TEST(MemoryTraffic, HolesLieBetweenThePiecesOfARequest) {
  const int strides[] = {1, 8, 16, 32, 64, 128};
  const double bursts[] = {0, 0, 0, 31, 31 * 3, 31 * 3}; // of 64 bytes
  const double sectors[] = {0, 0, 31, 31 * 3, 31 * 7, 31 * 7};
  for (std::size_t k = 0; k < std::size(strides); ++k) {
    Access stores = store_of(strides[k], 1), loads = stores;
    loads.direction = Direction::load;
    const MemoryTraffic moved = memory_traffic({loads, stores}, gpu_memory);
    EXPECT_EQ(moved.load_holes, 8 * 64 * bursts[k]) << strides[k];
    EXPECT_EQ(moved.store_holes, 8 * 32 * sectors[k]) << strides[k];
  }
}

// Against a piece-by-piece count, with random lanes.
TEST(MemoryTraffic, HolesOfRandomRequests) {
  std::mt19937 bits(7);
  double all = 0;
  for (int k = 0; k < 200; ++k) {
    std::set<std::size_t> asked, blocks;
    std::vector<std::size_t> lanes;
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
      lanes.push_back(bits() % (256 << k % 8) / 4 * 4);
      asked.insert(lanes.back() / 64);
      blocks.insert(lanes.back() / 256);
    }
    double holes = 0;
    for (std::size_t piece = *asked.begin(); piece < *asked.rbegin(); ++piece)
      holes += blocks.contains(piece / 4) && !asked.contains(piece);
    const Access access{"a",
                        Space::global,
                        Direction::load,
                        4,
                        1,
                        1,
                        [&](std::size_t, std::size_t lane, std::size_t) { return lanes[lane]; }};
    EXPECT_EQ(memory_traffic({access}, gpu_memory).load_holes, 64 * holes) << k;
    all += holes;
  }
  EXPECT_GT(all, 1000) << "of nothing";
}

} // namespace
} // namespace ado::bench
