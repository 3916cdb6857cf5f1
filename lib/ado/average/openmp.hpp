// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average in the CPU twin, by hand; average_mv's twin starts with it.
#pragma once

#include <ado/core/algorithm.hpp>
#include <ado/core/array.hpp>
#include <ado/core/row_plan.hpp>
#include <ado/host/openmp_sum.hpp>
#include <ado/host/streamed_stores.hpp>

#include <algorithm>
#include <cstddef>

namespace ado {

inline OpenmpPieces openmp_average_pieces(const Shape& s, Type type) {
  return {s[0] * s[1], s[2], size_of(type)};
}

/// mean[n * mean_stride + l] = sum over m of v[n][l][m] / M. `partial`: one number per piece.
template <class T>
void openmp_average(const Array& v, T* mean, std::size_t mean_stride, T* partial, int threads) {
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
    return OpenmpValues<T>{data + set * set_stride + (row - set * set_rows) * row_stride};
  };
  const auto mean_of = [=](std::size_t row) -> T& {
    const std::size_t set = set_of(row);
    return mean[set * mean_stride + row - set * set_rows];
  };
  const OpenmpPieces pieces(rows, count, sizeof(T));
  if (pieces.cut()) {
    openmp_sum_pieces(pieces, partial, threads, values_of);
    for (std::size_t row = 0; row < rows; ++row)
      mean_of(row) = openmp_row(pieces, partial, row) / static_cast<T>(count);
    return;
  }
  if (rows < openmp_rows_at_once) {
    for (std::size_t row = 0; row < rows; ++row)
      mean_of(row) = openmp_sum<T>(count, values_of(row)) / static_cast<T>(count);
    return;
  }
  const std::size_t together = detail::host_block_rows(rows, count, sizeof(T)),
                    blocks = ceil_div(rows, together);
  const bool stream = one_set && rows * sizeof(T) >= detail::streamed_bytes;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (std::size_t block = 0; block < blocks; ++block) {
      const std::size_t first = block * together, last = std::min(first + together, rows);
      T means[detail::most_block_rows]; // in one place, to be divided and streamed as vectors
      openmp_sum_rows<T>(first, last, count, values_of,
                         [&](std::size_t row, T sum) { means[row - first] = sum; });
      for (std::size_t k = 0; k < last - first; ++k)
        means[k] /= static_cast<T>(count);
      if (stream)
        detail::stream_elements(mean + first, means, last - first);
      else
        for (std::size_t row = first; row < last; ++row)
          mean_of(row) = means[row - first];
    }
    if (stream) detail::stream_fence();
  }
}

/// Its roundings: a sum and a division.
inline double openmp_average_steps(const Shape& s, Type type) {
  const OpenmpPieces pieces = openmp_average_pieces(s, type);
  if (pieces.cut()) return pieces.steps(type) + 1;
  return (pieces.rows < openmp_rows_at_once ? openmp_sum_steps(s[2], type)
                                            : openmp_row_steps(s[2], type)) +
         1;
}

} // namespace ado
