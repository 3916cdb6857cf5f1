// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How `tuned` of yax cuts a.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/row_plan.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>

namespace ado::detail {

/// The tiles that a is cut into: some rows each, or a piece of one row if rows are few and long.
/// They are a function of the shape alone, and so is the order of summation.
struct YaxTiles {
  int lanes; ///< that share a row; on a host 1
  std::size_t rows_per_tile;
  std::size_t pieces; ///< of a row; where there are several, a tile has one row
  std::size_t piece_length;
  std::size_t count;
};

/// Lanes of a GPU that share a row. A whole team shares one only if rows are so long, or so few,
/// that the reduction at the end of each row does not matter.
inline int yax_lanes(std::size_t rows, std::size_t columns, std::size_t element_bytes) {
  const int lanes = device_lanes(columns, element_bytes);
  const bool is_long = columns * element_bytes >= std::size_t{128} * 1024;
  if (lanes == device_team_threads && rows >= 2048 && !is_long) return device_vector_lanes;
  if (lanes == device_vector_lanes && rows < 512) return device_team_threads;
  return lanes;
}

/// If threads of a GPU share rows, a tile has as many rows as a team works on at once: the next
/// team's loads hide the reduction of this one. If one thread takes a row, a tile has several rows
/// per thread, up to about 32768 elements, as long as every multiprocessor still gets several
/// tiles.
inline YaxTiles yax_tiles(bool on_host, std::size_t rows, std::size_t columns,
                          std::size_t element_bytes) {
  if (rows == 0 || columns == 0) return {1, 1, 1, columns, 0};
  const RowMapping map = map_rows(on_host, rows, columns, element_bytes);
  if (map.pieces > 1) return {map.lanes, 1, map.pieces, map.piece_length, rows * map.pieces};
  constexpr std::size_t most_tiles = 65536; // the last team adds these in a few microseconds
  std::size_t height = ceil_div(rows, most_tiles);
  if (on_host) {
    height = std::max(std::bit_ceil(height), host_block_rows(rows, columns, element_bytes));
    return {1, height, 1, columns, ceil_div(rows, height)};
  }
  const int lanes = yax_lanes(rows, columns, element_bytes);
  if (lanes == 1) {
    constexpr std::size_t most = 32768, tiles = 512;
    const std::size_t wanted = std::clamp(rows * columns / tiles, std::size_t{1}, most);
    height = std::max(wanted / columns / device_team_threads, std::size_t{1}) * device_team_threads;
  } else if (lanes < device_team_threads) {
    height = round_up(height, std::size_t(device_team_threads / lanes));
  }
  return {lanes, height, 1, columns, ceil_div(rows, height)};
}

} // namespace ado::detail
