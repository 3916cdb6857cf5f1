// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average in the CPU twin, by hand; average_mv's twin starts with it.
#pragma once

#include <ado/core/algorithm.hpp>
#include <ado/core/array.hpp>
#include <ado/core/row_plan.hpp>
#include <ado/host/openmp_sum.hpp>

#include <algorithm>
#include <cstddef>

namespace ado {

inline OpenmpPieces openmp_average_pieces(const Shape& s, Type type) {
  return {s[0] * s[1], s[2], size_of(type)};
}

/// Rows that a thread takes at a time: 64 KiB of them, a multiple of four.
inline std::size_t openmp_average_rows(std::size_t count, std::size_t element_bytes) {
  return round_up(std::size_t{64} * 1024 / ((count + 1) * element_bytes) + 1, 4);
}

/// mean[n * mean_stride + l] = sum over m of v[n][l][m] / M. `partial`: one number per piece. The rows are a part of
/// `all`.
template <class T>
void openmp_average(const Array& v, T* mean, std::size_t mean_stride, T* partial, int threads,
                    const RowsOfAll& all) {
  const std::size_t lengths = v.extent[1], count = v.extent[2];
  const std::size_t rows = v.extent[0] * lengths;
  // Sets without gaps between them count as one: a division per row would take longer than the sum of a
  // short row.
  const bool one_set = v.stride[0] == lengths * v.stride[1] && mean_stride == lengths;
  const std::size_t set_rows = one_set ? rows : lengths;
  const auto set_of = [=](std::size_t row) { return row < set_rows ? 0 : row / set_rows; };
  const T* const data = v.as<const T>();
  const std::size_t set_stride = v.stride[0], row_stride = v.stride[1];
  const auto values_of = [=](std::size_t row) {
    const std::size_t set = set_of(row);
    return data + set * set_stride + (row - set * set_rows) * row_stride;
  };
  const auto mean_of = [=](std::size_t row) -> T& {
    const std::size_t set = set_of(row);
    return mean[set * mean_stride + row - set * set_rows];
  };
  OpenmpPieces pieces(all.count, count, sizeof(T));
  pieces.rows = rows;
  if (pieces.cut()) {
    openmp_sum_pieces(pieces, partial, threads,
                      [&](std::size_t row, std::size_t m) { return values_of(row)[m]; });
    for (std::size_t row = 0; row < rows; ++row)
      mean_of(row) = openmp_row(pieces, partial, row) / static_cast<T>(count);
    return;
  }
  const std::size_t together = openmp_average_rows(count, sizeof(T)),
                    blocks = ceil_div(rows, together), last = rows - all.alone;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t begin = block * together, end = std::min(begin + together, rows);
    openmp_sum_rows<T>(
        begin, end, count,
        [&](std::size_t row) {
          return [values = values_of(row)](std::size_t m) { return values[m]; };
        },
        [&](std::size_t row, T sum) { mean_of(row) = sum / static_cast<T>(count); },
        end - std::clamp(last, begin, end));
  }
}

/// Its roundings: a sum and a division.
inline double openmp_average_steps(const Shape& s, Type type) {
  const OpenmpPieces pieces = openmp_average_pieces(s, type);
  if (pieces.cut()) return pieces.steps(type) + 1;
  return openmp_sum_rows_steps(pieces.rows, s[2], type) + 1;
}

} // namespace ado
