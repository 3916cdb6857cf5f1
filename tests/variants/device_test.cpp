// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices are what was asked for, and a GPU reports what was launched on it.
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/measure/measure.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace ado::bench {
namespace {

TEST(Device, HasTheThreadsThatWereAskedFor) {
  if (default_backend() != "openmp") GTEST_SKIP() << "only openmp takes a number of threads";
  EXPECT_EQ(open_device({"openmp", 1})->queue.threads, 1);
  EXPECT_NE(open_device({"openmp", 1})->description.find("1 thread"), std::string::npos);
}

TEST(Device, ChecksumsChangeWithEachByteAndWithPlaces) {
  std::mt19937 generator(3);
  for (const std::string& backend : backend_names()) {
    const auto device = open_device({backend, 0});
    for (const std::size_t bytes : {3, 8, 61, 4096, 100003}) {
      SCOPED_TRACE(backend + ", bytes " + std::to_string(bytes));
      const DeviceMemory memory = device->allocate(bytes, "test");
      std::vector<unsigned char> data(bytes);
      for (unsigned char& byte : data)
        byte = static_cast<unsigned char>(generator());
      const auto checksum = [&] {
        device->copy_in(memory.get(), data.data(), bytes);
        return device->checksum(memory.get(), bytes);
      };
      const std::uint64_t right = checksum();
      for (std::size_t word = 0; word < bytes; word += 8) { // blocks of words end anywhere
        const std::size_t k = std::min(word + word / 8 % 8, bytes - 1);
        data[k] ^= 0x10;
        EXPECT_NE(checksum(), right) << "byte " << k;
        data[k] ^= 0x10;
      }
      EXPECT_EQ(checksum(), right);
      if (bytes < 16) continue;
      std::swap_ranges(data.begin(), data.begin() + 8, data.begin() + 8);
      EXPECT_NE(checksum(), right) << "two words in each other's place";
    }
  }
}

class DeviceLaunches : public testing::Test {
protected:
  void SetUp() override {
    if (default_backend() != "cuda") GTEST_SKIP() << "only the cuda backend launches kernels";
    device_ = open_device({"cuda"});
    if (const std::string why = device_->launches_of([] {}).unknown_because; !why.empty())
      GTEST_SKIP() << why;
  }
  std::unique_ptr<Device> device_;
};

TEST_F(DeviceLaunches, AreThoseOfTheWorkAndNoOthers) {
  const DeviceMemory memory = device_->allocate(8 << 10, "test");
  device_->fill(memory.get(), 8 << 10, 1);
  const Launches launches = device_->launches_of([&] {
    device_->launch_nothing();
    device_->fill(memory.get(), 8 << 10, 2);
  });
  device_->fill(memory.get(), 8 << 10, 3);
  ASSERT_EQ(launches.kernels.size(), 2u);
  EXPECT_EQ(launches.kernels[0].kernel, "NothingKernel");
  const LaunchFacts& fill = launches.kernels[1];
  EXPECT_EQ(fill.kernel, "FillKernel");
  EXPECT_GE(fill.grid[0] * fill.block[0] * fill.block[1] * fill.block[2], 1 << 10);
  EXPECT_GT(fill.registers, 0);
  EXPECT_EQ(fill.dynamic_shared_bytes, 0);
  EXPECT_EQ(fill.local_bytes, 0);
  EXPECT_GT(fill.resident_warps, 0);
  EXPECT_TRUE(device_->launches_of([] {}).kernels.empty());
}

TEST_F(DeviceLaunches, OfTwinsAreMeasuredWithThem) {
  const Algorithm* yax = find_algorithm("yax");
  const Problem problem{yax, {333, 777, 1}, Type::f64};
  HostData data(problem);
  data.make(DataKind::uniform, 1);
  Workbench bench(*device_, data, 2);
  auto measured = measure(
      bench, problem,
      {find_variant("yax", "kokkos", "tuned", "cuda"), find_variant("yax", "cuda", "team", "cuda")},
      {.reps = 1});
  for (const Measurement& m : measured)
    EXPECT_TRUE(m.launches.kernels.empty()) << "nobody asked";
  for (std::size_t slot = 0; slot < measured.size(); ++slot)
    find_launches(bench, slot, measured[slot]);
  for (const Measurement& m : measured) {
    EXPECT_EQ(m.failure, "");
    EXPECT_FALSE(m.launches.kernels.empty()) << name_of(m.variant->model);
    for (const LaunchFacts& facts : m.launches.kernels)
      EXPECT_LE(facts.resident_warps, facts.maximum_warps) << facts.kernel;
  }
}

} // namespace
} // namespace ado::bench
