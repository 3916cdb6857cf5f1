// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the device's transpose cuts a matrix into tiles: each element is in exactly one, and tiles
// are aligned even if the matrices are not.
#include <ado/core/elements.hpp>
#include <ado/core/error.hpp>
#include <ado/transpose/detail/device.hpp>

#include <gtest/gtest.h>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ado::detail {
namespace {

/// No element is accessed.
template <class E>
Matrices<E> matrices_at(std::size_t rows, std::size_t columns, std::size_t a_bytes,
                        std::size_t b_bytes) {
  static E start[2];
  const auto at = [](std::size_t bytes) {
    const auto address = reinterpret_cast<std::uintptr_t>(start);
    return reinterpret_cast<E*>((address + 255) / 256 * 256 + bytes);
  };
  return {rows,        columns,
          at(a_bytes), columns + 256 - columns % 256,
          at(b_bytes), rows + 256 - rows % 256};
}

TEST(TransposeTiles, CoverEachElementOnce) {
  for (const TileShift& shift :
       {TileShift{0, 0}, TileShift{5, 0}, TileShift{0, 7}, TileShift{3, 1}}) {
    SCOPED_TRACE(testing::Message() << shift.i << ", " << shift.j);
    const unsigned side = 8, rows = 29, columns = 41;
    const auto m = matrices_at<float>(rows, columns, 0, 0);
    const unsigned down = (rows + shift.i + side - 1) / side;
    const unsigned across = (columns + shift.j + side - 1) / side;
    std::vector<int> covered(std::size_t{rows} * columns);
    for (unsigned rank = 0; rank < down * across; ++rank) {
      const device_tile::Tile<float> tile(m, static_cast<int>(rank), side, side, shift);
      ASSERT_LE(tile.i + tile.height, rows);
      ASSERT_LE(tile.j + tile.width, columns);
      EXPECT_TRUE(tile.i == 0 || (tile.i + shift.i) % side == 0) << tile.i;
      EXPECT_TRUE(tile.j == 0 || (tile.j + shift.j) % side == 0) << tile.j;
      for (std::size_t i = tile.i; i < tile.i + tile.height; ++i)
        for (std::size_t j = tile.j; j < tile.j + tile.width; ++j)
          ++covered[i * columns + j];
    }
    EXPECT_EQ(covered, std::vector<int>(covered.size(), 1));
  }
}

TEST(TransposeTiles, ShiftedWhereTheMatricesLieOffABoundary) {
  const std::size_t side = 64, many = 64 * side;
  const auto shift = [&](std::size_t rows, std::size_t columns, std::size_t a, std::size_t b) {
    return TileShift::of(matrices_at<float>(rows, columns, a, b), side, side);
  };
  EXPECT_EQ(shift(many, many, 128, 64).j, 32u); // rows of a run along j
  EXPECT_EQ(shift(many, many, 128, 64).i, 16u); // rows of b along i
  EXPECT_EQ(shift(many, many, 0, 0).i, 0u);
  EXPECT_EQ(shift(many - 1, many, 128, 64).j, 0u) << "few tiles";
  auto skewed = matrices_at<float>(many, many, 128, 64);
  skewed.lda += 1;
  EXPECT_EQ(TileShift::of(skewed, side, side).j, 0u) << "no boundary for all rows";
  EXPECT_EQ(TileShift::of(skewed, side, side).i, 16u);
  EXPECT_EQ(TileShift::of(matrices_at<std::uint8_t>(128 * 64, 128 * 64, 192, 0), 128, 128).j, 64u)
      << "a tile has rows of 128 bytes";
}

TEST(TransposeTiles, AreWideWhereEnoughLieInTheMatrix) {
  const auto wide = [](auto element, std::size_t rows, std::size_t columns) {
    const std::size_t side = 64, tiles = ceil_div(rows, side) * ceil_div(columns, side);
    return takes_wide_tiles(matrices_at<decltype(element)>(rows, columns, 0, 0), tiles, side, side);
  };
  EXPECT_TRUE(wide(1.0F, 640, 1024));
  EXPECT_FALSE(wide(1.0F, 640, 1028)) << "a cut tile";
  EXPECT_FALSE(wide(1.0F, 644, 1024));
  EXPECT_TRUE(wide(1.0F, 4100, 4100)) << "many others hide them";
  EXPECT_TRUE(wide(Element16{}, 640, 1028)) << "they are cheap";
  EXPECT_FALSE(wide(Element16{}, 65, 65)) << "one of four is whole";
  EXPECT_FALSE(wide(1.0F, 60, 1 << 20)) << "none is whole";
}

/// Checks what the threads of TransposeDirect do to a matrix of these extents, with gaps between
/// rows.
template <class E>
void moves_each_element_once(std::size_t rows, std::size_t columns) {
  SCOPED_TRACE(testing::Message() << rows << " x " << columns << ", " << sizeof(E) << " bytes");
  const std::size_t lda = columns + 3, ldb = rows + 2;
  std::vector<E> a(rows * lda), b(columns * ldb, E{1}), wanted = b;
  for (std::size_t k = 0; k < a.size(); ++k)
    a[k] = static_cast<E>(k * 2654435761U >> 7 | 2);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      wanted[j * ldb + i] = a[i * lda + j];
  const Matrices<E> m{rows, columns, a.data(), lda, b.data(), ldb};
  const auto direct = device_tile::TransposeDirect<E>::for_matrices(m);
  for (std::size_t thread = 0; thread < direct.threads(); ++thread)
    direct(static_cast<int>(thread));
  EXPECT_EQ(b, wanted);
  EXPECT_LE(direct.threads(), 32 * (rows + 32) * (columns + 64) / 32) << "mostly idle";
}

TEST(TransposeTiles, SmallMatricesNeedNone) {
  for (const std::size_t rows : {1, 2, 3, 5, 8, 9, 16, 33, 127})
    for (const std::size_t columns : {1, 2, 3, 4, 7, 8, 9, 31, 64, 131}) {
      moves_each_element_once<std::uint8_t>(rows, columns);
      moves_each_element_once<std::uint64_t>(rows, columns);
    }
  moves_each_element_once<std::uint32_t>(2, 60001);
  moves_each_element_once<std::uint32_t>(60001, 2);
}

TEST(TransposeTiles, AreNoMoreTeamsThanALaunchHolds) {
  constexpr std::size_t most = INT_MAX;
  EXPECT_EQ(league_size(most), INT_MAX);
  EXPECT_THROW(league_size(most + 1), InvalidArgument);
  EXPECT_THROW(league_size(2 * (most + 1) + 3), InvalidArgument) << "3 in an int";
}

} // namespace
} // namespace ado::detail
