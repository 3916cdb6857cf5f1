// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of roundings in the error bounds of yax.
#pragma once

#include <ado/core/bound.hpp>
#include <ado/portable/rounding.hpp>
#include <ado/yax/detail/tuned.hpp>

#include <cstddef>

namespace ado::detail {

/// Additions of weighted_sum on the longest path over rows, each with its product, beyond those of
/// a row.
inline double weighted_sum_steps(std::size_t rows, int lanes, int threads) {
  const std::size_t groups = threads / lanes;
  return double(ceil_div(rows, groups)) + tree_depth(rows < groups ? rows : groups);
}

/// Additions of yax_finish on the longest path.
template <class T, class Exec>
double yax_finish_steps(std::size_t count) {
  return thread_sum_steps<T, Exec>(count, finish_threads<Exec>(count));
}

/// Roundings of yax_tuned on the longest path: in the sum of a row with its products, in the sum of
/// a tile with y, and in the sum of the tiles. With pieces: in the sum of a piece, in the sum of a
/// row's pieces, and in the sum of the rows with y.
template <class Exec, class T>
double yax_tuned_steps(std::size_t rows, std::size_t columns) {
  const YaxTiles tiles = yax_tiles(runs_on_host<Exec>, rows, columns, sizeof(T));
  double row = 1 + shared_sum_steps<T, Exec>(tiles.piece_length, tiles.lanes);
  if (tiles.pieces > 1) {
    const int lanes = yax_join_lanes<Exec>(tiles.pieces);
    return row + thread_sum_steps<T, Exec>(tiles.pieces, lanes) +
           weighted_sum_steps(rows, lanes, most_finish_threads<Exec>);
  }
  const std::size_t height = Kokkos::clamp(rows, std::size_t{1}, tiles.rows_per_tile);
  const double finish = tiles.count == 1 ? 0 : yax_finish_steps<T, Exec>(tiles.count);
  if constexpr (runs_on_host<Exec>) {
    const std::size_t block = Kokkos::min(height, most_block_rows);
    const double of_block =
        Kokkos::max(host_sum_steps<T>(block), host_sum_steps<T>(rows % block)); // the last one
    if (rows >= host_rows_at_once) row = 1 + host_row_steps<T>(columns);
    return row + 1 + of_block + double(ceil_div(height, block)) - 1 + finish;
  }
  return row + weighted_sum_steps(height, tiles.lanes, team_threads<Exec>) + finish;
}

} // namespace ado::detail
