// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How `team` of yax cuts a.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/row_plan.hpp>

#include <cstddef>

namespace ado::detail {

/// The tiles that a is cut into: some rows each, or a piece of one row if rows are few and long. They are
/// a function of the shape alone, and so is the order of summation.
struct YaxTiles {
  int lanes; ///< that share a row; on a host 1
  std::size_t rows_per_tile;
  std::size_t pieces; ///< of a row; where there are several, a tile has one row
  std::size_t piece_length;
  std::size_t count;
};

/// Lanes that share a row. A whole team shares one only if rows are so long, or so few, that the reduction
/// at the end of each row does not matter.
inline int yax_lanes(bool on_host, std::size_t rows, std::size_t columns,
                     std::size_t element_bytes) {
  if (on_host) return 1;
  const int lanes = device_lanes(columns, element_bytes);
  const bool is_long = columns * element_bytes >= std::size_t{128} * 1024;
  if (lanes == device_team_threads && rows >= 2048 && !is_long) return device_vector_lanes;
  if (lanes == device_vector_lanes && rows < 512) return device_team_threads;
  return lanes;
}

/// If threads of a GPU share rows, a tile has as many rows as a team works on at once: the next team's
/// loads hide the reduction of this one. If one thread takes a row, a tile has several rows per thread,
/// up to about 32768 elements, as long as every core or multiprocessor still gets several tiles.
inline YaxTiles yax_tiles(bool on_host, std::size_t rows, std::size_t columns,
                          std::size_t element_bytes) {
  if (rows == 0 || columns == 0) return {1, 1, 1, columns, 0};
  const RowMapping map = map_rows(on_host, rows, columns, element_bytes);
  if (map.pieces > 1) return {map.lanes, 1, map.pieces, map.piece_length, rows * map.pieces};
  const int lanes = yax_lanes(on_host, rows, columns, element_bytes);
  constexpr std::size_t most_tiles = 65536; // the last team adds these in a few microseconds
  std::size_t height = ceil_div(rows, most_tiles);
  if (lanes == 1) {
    // A team costs a host as much as 64 KiB of work in its cache.
    const std::size_t least = on_host ? 64 * 1024 / element_bytes : 1, most = 32768, tiles = 512;
    const std::size_t share = rows * columns / tiles;
    const std::size_t wanted = share < least ? least : share > most ? most : share;
    const std::size_t together = on_host ? 1 : device_team_threads;
    const std::size_t rounds = wanted / columns / together;
    height = (rounds == 0 ? 1 : rounds) * together;
    if (on_host) height = round_up(height, 4); // it sums four at once
  } else if (lanes < device_team_threads) {
    height = round_up(height, std::size_t(device_team_threads / lanes));
  }
  return {lanes, height, 1, columns, ceil_div(rows, height)};
}

} // namespace ado::detail
