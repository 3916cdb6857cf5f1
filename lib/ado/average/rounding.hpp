// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of roundings in the error bounds of average.
#pragma once

#include <ado/average/detail/strided.hpp>
#include <ado/average/detail/tuned.hpp>
#include <ado/portable/rounding.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::detail {

/// Roundings on the longest path of average_tuned over `rows` rows of `length` elements: the sum of a
/// piece, the sum of the pieces, one division.
template <class Exec, class T>
double average_tuned_steps(std::size_t rows, std::size_t length) {
  const RowMapping map = map_rows(runs_on_host<Exec>, rows, length, sizeof(T));
  const double pieces =
      map.pieces == 1 ? 0 : thread_sum_steps<T, Exec>(map.pieces, vector_lanes<Exec>);
  if constexpr (runs_on_host<Exec>)
    if (map.pieces == 1 && rows >= host_rows_at_once) return host_row_steps<T>(length) + 1;
  return shared_sum_steps<T, Exec>(map.piece_length, map.lanes) + pieces + 1;
}

/// The same for average_strided: the sum of a chunk, the sum of the chunks, one division.
inline double average_strided_steps(std::size_t count) {
  constexpr std::size_t chunk = average_strided_chunk;
  return double(std::min(count, chunk)) + double(ceil_div(count, chunk));
}

} // namespace ado::detail
