// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How yax by hand in CUDA (native_cuda/yax/team.cu) cuts a. Plain C++, since ranks have to cut a at
// its tiles.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/yax/detail/plan.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::bench {

/// The tiles, one for each block: some rows, or a piece of one row if rows are few and long. A
/// function of the shape alone, and so is the order of summation.
struct YaxCudaTiles {
  detail::RowMapping map;
  std::size_t rows_per_tile; ///< 1 where rows are cut in pieces

  /// How many tiles `rows` rows have that begin with one.
  std::size_t count(std::size_t rows) const {
    return map.pieces > 1 ? rows * map.pieces : detail::ceil_div(rows, rows_per_tile);
  }
};

/// As many lanes share a row as in the portable version. Tiles have as few rows as their number
/// allows: one block adds the sums of 65536 in a few microseconds.
inline YaxCudaTiles yax_cuda_tiles(std::size_t rows, std::size_t columns,
                                   std::size_t element_bytes) {
  constexpr std::size_t most_tiles = 65536;
  detail::RowMapping map = detail::map_rows(false, rows, columns, element_bytes, 16);
  if (map.pieces > 1) return {map, 1};
  map.lanes = detail::yax_lanes(rows, columns, element_bytes);
  const auto together = static_cast<std::size_t>(detail::device_team_threads / map.lanes);
  return {map, together * std::max<std::size_t>(1, detail::ceil_div(rows, together * most_tiles))};
}

} // namespace ado::bench
