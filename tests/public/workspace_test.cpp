// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ado::Workspace: what it holds, keeps and refuses, and its state when memory runs out.
#include "arrays.hpp"
#include <ado/portable/workspace.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace {

using namespace arrays;
using Workspace = ado::Workspace<Exec>;
static_assert(!std::is_copy_constructible_v<Workspace> && !std::is_copy_assignable_v<Workspace>);

TEST(ApiWorkspace, GrowsAndNeverShrinks) {
  Workspace workspace;
  EXPECT_EQ(workspace.bytes(), 0u);
  workspace.reserve(0);
  EXPECT_EQ(workspace.bytes(), 0u);
  workspace.reserve(1000);
  EXPECT_EQ(workspace.bytes(), 1000u);
  const void* memory = workspace.as<char>();
  workspace.reserve(500);
  EXPECT_EQ(workspace.bytes(), 1000u);
  EXPECT_EQ(workspace.as<char>(), memory);
  workspace.reserve(1001);
  EXPECT_EQ(workspace.bytes(), 1001u);
}

TEST(ApiWorkspace, UsesTheMemoryGiven) {
  const Kokkos::View<double*, Memory> memory("memory", 10);
  Workspace workspace(memory.data(), 80);
  workspace.reserve(80);
  EXPECT_EQ(workspace.as<double>(), memory.data());
  expect_refused({"ado::Workspace", "needs 81 bytes", "holds 80", "give more"},
                 [&] { workspace.reserve(81); });
  EXPECT_EQ(workspace.bytes(), 80u);
}

TEST(ApiWorkspace, RefusesMemoryThatIsNotAligned) {
  const Kokkos::View<double*, Memory> memory("memory", 10);
  expect_refused({"ado::Workspace", "aligned to 16 bytes"},
                 [&] { Workspace(memory.data() + 1, 72); });
}

TEST(ApiWorkspace, SaysWhenThereIsNoMemoryAndStaysUsable) {
  Workspace workspace(100);
  constexpr std::size_t too_much = std::size_t{1} << 60;
  try {
    workspace.reserve(too_much);
    ADD_FAILURE() << "2^60 bytes were had";
  } catch (const ado::OutOfMemory& error) {
    EXPECT_EQ(error.bytes(), too_much);
    EXPECT_NE(std::string(error.what()).find("1152921504606846976"), std::string::npos);
  }
  EXPECT_EQ(workspace.bytes(), 0u);
  workspace.reserve(100);
  EXPECT_EQ(workspace.bytes(), 100u);
}

unsigned value_of(const unsigned* counter) {
  unsigned value = 0;
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::deep_copy(Kokkos::View<unsigned, Kokkos::HostSpace, Unmanaged>(&value),
                    Kokkos::View<const unsigned, Memory, Unmanaged>(counter));
  return value;
}
void set(unsigned* counter, unsigned value) {
  Kokkos::deep_copy(
      Kokkos::View<unsigned, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(counter), value);
}

TEST(ApiWorkspace, ACounterIsSetToZeroOnlyAfterOtherUses) {
  const Exec exec;
  Workspace workspace(1000);
  set(workspace.as<unsigned>(), 7);
  const auto [counter, numbers] = workspace.counted<double>(exec);
  EXPECT_EQ(static_cast<void*>(counter), workspace.as<char>());
  EXPECT_EQ(reinterpret_cast<char*>(numbers), workspace.as<char>() + 16);
  workspace.counted<double>(exec);
  exec.fence();
  EXPECT_EQ(value_of(counter), 0u);
  set(counter, 8); // as a kernel would leave it, so nothing sets it
  workspace.counted<double>(exec);
  exec.fence();
  EXPECT_EQ(value_of(counter), 8u);
  set(workspace.as<unsigned>(), 9);
  workspace.counted<double>(exec);
  exec.fence();
  EXPECT_EQ(value_of(counter), 0u);
  set(counter, 8);
  workspace.reserve(1001);
  workspace.counted<double>(exec);
  exec.fence();
  EXPECT_EQ(value_of(workspace.counted<double>(exec).counter), 0u);
}

TEST(ApiWorkspace, ACounterOfMemoryThatIsGivenAsZeroIsLeft) {
  const Kokkos::View<unsigned*, Memory> memory("memory", 10);
  const Exec exec;
  set(memory.data(), 5);
  Workspace(memory.data(), 40, ado::detail::ZeroCounter{}).counted<float>(exec);
  exec.fence();
  EXPECT_EQ(value_of(memory.data()), 5u);
  Workspace(memory.data(), 40).counted<float>(exec);
  exec.fence();
  EXPECT_EQ(value_of(memory.data()), 0u);
}

/// With Kokkos' header in front, the size would wrap to a small one.
TEST(ApiWorkspace, NoSizeWraps) {
  Workspace workspace;
  for (const std::size_t less : {0, 1, 63, 64, 127, 128, 4096}) {
    EXPECT_THROW(workspace.reserve(SIZE_MAX - less), ado::OutOfMemory) << less;
    EXPECT_EQ(workspace.bytes(), 0u);
  }
}

} // namespace
