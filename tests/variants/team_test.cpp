// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One-source kernels with a GPU's constants, on a host: other tiles, packs aligned to their size,
// several blocks per lane, a swizzled tile.
#include <ado/transpose/detail/team.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace ado::bench {
namespace {

using namespace detail;
using Exec = Kokkos::DefaultHostExecutionSpace;
using one::OfGpu;

template <class E, int n, bool small>
void expect_transposed_by_tiles(std::size_t rows, std::size_t columns) {
  std::mt19937 draws(46);
  const std::size_t lda = columns + 16, ldb = rows + 32;
  std::vector<E> a(rows * lda), b(columns * ldb, E(7));
  for (E& x : a)
    x = static_cast<E>(draws());
  using Kernel = TransposeTeam<Exec, E, n, OfGpu::rows_of_block(n), false, small, OfGpu>;
  const std::size_t down = ceil_div(rows, Kernel::tall), across = ceil_div(columns, Kernel::wide);
  Teams<Exec, 4, OfGpu::team_threads> policy(Exec(), static_cast<int>(down * across), 1, 1);
  set_scratch(policy, 0, Kernel::scratch_bytes + 16);
  const Matrices<E> m{rows, columns, a.data(), lda, b.data(), ldb};
  Kokkos::parallel_for("transpose", policy, Kernel{m, down, Kernel::wide, 0});
  Exec().fence();
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = 0; i < ldb; ++i)
      ASSERT_EQ(b[j * ldb + i], i < rows ? a[i * lda + j] : E(7))
          << rows << " x " << columns << ": " << i << ", " << j << (small ? ", small tiles" : "");
}
template <class E, int n>
void expect_transposed(std::size_t rows, std::size_t columns) {
  expect_transposed_by_tiles<E, n, false>(rows, columns);
  expect_transposed_by_tiles<E, n, true>(rows, columns);
}

template <class E>
class TeamTranspose : public testing::Test {};
using Sizes = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(TeamTranspose, Sizes);

TYPED_TEST(TeamTranspose, IsRightWithPacks) {
  constexpr int n = 16 / sizeof(TypeParam);
  for (const auto& [rows, columns] :
       {std::pair{n, n}, {7 * n, 9 * n}, {20 * n, n}, {17 * n, 33 * n}})
    expect_transposed<TypeParam, n>(std::size_t(rows), std::size_t(columns));
}
/// If rows are not aligned to 16 bytes.
TYPED_TEST(TeamTranspose, IsRightWithNarrowPacks) {
  if constexpr (constexpr int n = 16 / sizeof(TypeParam); n > 2)
    for (const auto& [rows, columns] : {std::pair{n / 2, n}, {19 * n / 2, 7 * n}, {200, 30}})
      expect_transposed<TypeParam, n == 16 ? 2 : n / 2>(std::size_t(rows), std::size_t(columns));
}
TYPED_TEST(TeamTranspose, IsRightWithSingleElements) {
  for (const auto& [rows, columns] : {std::pair{1, 1}, {3, 300}, {129, 67}, {255, 257}})
    expect_transposed<TypeParam, 1>(std::size_t(rows), std::size_t(columns));
}

} // namespace
} // namespace ado::bench
