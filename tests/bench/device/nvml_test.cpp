// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is read of a GPU's clocks, from a stand-in for NVIDIA's library.
#include <ado/bench/device/nvml.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace ado::bench {
namespace {

constexpr const char* address = "0000:18:00.0";

std::string throttled(const char* bits) {
  setenv("FAKE_NVML_REASONS", bits, 1);
  const DeviceState state = Nvml(ADO_FAKE_NVML).state(address);
  unsetenv("FAKE_NVML_REASONS");
  EXPECT_TRUE(state.known);
  return state.throttled;
}

TEST(NvmlState, IsThatOfTheGpuAtTheAddress) {
  const DeviceState state = Nvml(ADO_FAKE_NVML).state(address);
  ASSERT_TRUE(state.known);
  EXPECT_EQ(state.clock_mhz, 1980);
  EXPECT_EQ(state.memory_clock_mhz, 3201);
  EXPECT_EQ(state.watts, 412.5);
  EXPECT_EQ(state.celsius, 61);
  EXPECT_EQ(state.throttled, "") << "idle is no reason";
  EXPECT_FALSE(Nvml(ADO_FAKE_NVML).state("0000:19:00.0").known);
}

TEST(NvmlState, TheDriverHasAVersion) {
  EXPECT_EQ(Nvml(ADO_FAKE_NVML).driver(), "580.65.06");
  EXPECT_EQ(Nvml("libnothing-of-this-name.so").driver(), "");
  setenv("FAKE_NVML_FAILS", "1", 1);
  EXPECT_EQ(Nvml(ADO_FAKE_NVML).driver(), "");
  unsetenv("FAKE_NVML_FAILS");
}

TEST(NvmlState, LinksAreCountedWhereTheyAreActive) {
  EXPECT_EQ(Nvml(ADO_FAKE_NVML).links(address), "5 NVLinks, PCIe 5 x16");
  EXPECT_EQ(Nvml(ADO_FAKE_NVML).links("0000:19:00.0"), "");
  EXPECT_EQ(Nvml("libnothing-of-this-name.so").links(address), "");
  setenv("FAKE_NVML_FAILS", "1", 1);
  EXPECT_EQ(Nvml(ADO_FAKE_NVML).links(address), "5 NVLinks");
  unsetenv("FAKE_NVML_FAILS");
}

TEST(NvmlState, ReasonsHaveNames) {
  EXPECT_EQ(throttled("0"), "");
  EXPECT_EQ(throttled("2"), "") << "a clock that somebody set";
  EXPECT_EQ(throttled("4"), "power cap");
  EXPECT_EQ(throttled("49"), "hardware slowdown, thermal slowdown by hardware");
  EXPECT_EQ(throttled("a0"), "thermal slowdown, power brake");
}

TEST(NvmlState, IsUnknownWhereTheLibraryIsMissingOrFails) {
  EXPECT_FALSE(Nvml("libnothing-of-this-name.so").state(address).known);
  EXPECT_FALSE(Nvml("libm.so.6").state(address).known) << "another library";
  setenv("FAKE_NVML_FAILS", "1", 1);
  EXPECT_FALSE(Nvml(ADO_FAKE_NVML).state(address).known);
  unsetenv("FAKE_NVML_FAILS");
}

} // namespace
} // namespace ado::bench
