// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of a transpose a block has.
#pragma once

#include <ado/registry/types.hpp>
#include <ado/transpose/detail/plan.hpp>

#include <cstddef>

namespace ado::bench::native {
namespace {

/// Corner and extent in a of a block's tile.
struct Tile {
  std::size_t i, j;
  unsigned height, width;
};
/// The part in [0, extent) of [at * side - shift, at * side - shift + side).
__device__ void cut(unsigned at, unsigned side, unsigned shift, std::size_t extent,
                    std::size_t& first, unsigned& count) {
  const unsigned missing = at == 0 ? shift : 0;
  first = std::size_t{at} * side + missing - shift;
  count = static_cast<unsigned>(min(extent - first, std::size_t{side - missing}));
}
/// Tiles lie in the order of b, `side_by_side` of them next to each other: neighbouring blocks
/// write neighbouring pieces of the same rows of b, and read neighbouring pieces of rows of a. (One
/// has its own formula: with 40 registers transpose_any has none to spare.)
template <unsigned side_by_side = 1>
__device__ Tile tile_of_block(std::size_t rows, std::size_t columns, unsigned tile_rows,
                              unsigned tile_columns, TileShift shift = {}) {
  const unsigned down = static_cast<unsigned>((rows + shift.i + tile_rows - 1) / tile_rows);
  unsigned i = blockIdx.x % down, j = blockIdx.x / down;
  if constexpr (side_by_side > 1) {
    const unsigned across =
        static_cast<unsigned>((columns + shift.j + tile_columns - 1) / tile_columns);
    const unsigned first = j / side_by_side * side_by_side, rest = blockIdx.x - first * down;
    const unsigned wide = min(side_by_side, across - first);
    i = rest / wide;
    j = first + rest % wide;
  }
  Tile tile;
  cut(i, tile_rows, shift.i, rows, tile.i, tile.height);
  cut(j, tile_columns, shift.j, columns, tile.j, tile.width);
  return tile;
}

} // namespace
} // namespace ado::bench::native
