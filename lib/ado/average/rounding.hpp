// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of roundings in the error bounds of average.
#pragma once

#include <ado/average/detail/strided.hpp>
#include <ado/average/detail/tuned.hpp>
#include <ado/portable/rounding.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::detail {

/// Roundings on the longest path of average_tuned over `rows` rows of `length` elements.
template <class Exec, class T>
double average_tuned_steps(std::size_t rows, std::size_t length) {
  if (!averages_in_blocks<Exec>(rows, length, sizeof(T)))
    return average_team_steps<Exec, T>(rows, length);
  return (rows < host_rows_at_once ? host_sum_steps<T>(length) : host_row_steps<T>(length)) + 1;
}

/// The same for average_strided: the sum of a chunk, the sum of the chunks, one division.
inline double average_strided_steps(std::size_t count) {
  constexpr std::size_t chunk = average_strided_chunk;
  return double(std::min(count, chunk)) + double(ceil_div(count, chunk));
}

} // namespace ado::detail
