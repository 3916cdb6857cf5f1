// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of docs/packs.md, which CMake writes to this header.
#include <gtest/gtest.h>
#include <packs_page.hpp>

#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;

template <class T>
void expect_axpy(std::size_t n, std::size_t place) {
  const Kokkos::View<T*, Exec> x("x", n + place + 1), y("y", n + place + 1);
  const auto host_x = Kokkos::create_mirror(x), host_y = Kokkos::create_mirror(y); // y changes
  for (std::size_t i = 0; i < host_x.size(); ++i) {
    host_x(i) = T(i % 101);
    host_y(i) = T(i % 7);
  }
  Kokkos::deep_copy(x, host_x);
  Kokkos::deep_copy(y, host_y);
  axpy(Exec(), T(3), x.data() + place, y.data() + place, n);
  const auto result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  for (std::size_t i = 0; i < result.size(); ++i)
    ASSERT_EQ(result(i), host_y(i) + (i >= place && i < n + place ? 3 * host_x(i) : 0))
        << i << " of " << n << " from " << place;
}

TEST(PacksPage, KernelIsRight) {
  for (const std::size_t n : {0, 1, 7, 8, 9, 64, 1001, 100'003})
    for (const std::size_t place : {0, 1}) {
      expect_axpy<float>(n, place);
      expect_axpy<double>(n, place);
      expect_axpy<int>(n, place);
    }
}

/// A struct derived from the table overrides its members.
TEST(PacksPage, TableIsOverridden) {
  EXPECT_EQ(CpuTile::pack_bytes, 64u);
  EXPECT_EQ(GpuTile::pack_bytes, ado::one::OfGpu::pack_bytes);
  using Host = Kokkos::DefaultHostExecutionSpace;
  EXPECT_EQ(Tile<Host>::planes, 1u);
}

} // namespace
