// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The averages of a CPU twin, by hand. average_mv's twin starts with them.
#pragma once

#include <ado/core/algorithm.hpp>
#include <ado/core/array.hpp>
#include <ado/core/openmp_sum.hpp>

#include <cstddef>

namespace ado {

inline OpenmpPieces openmp_average_pieces(const Shape& s, Type type) {
  return {s[0] * s[1], s[2], size_of(type)};
}

/// mean[n * mean_stride + l] = sum over m of v[n][l][m] / M. `partial`: one number a piece.
template <class T>
void openmp_average(const Array& v, T* mean, std::size_t mean_stride, T* partial, int threads) {
  const std::size_t lengths = v.extent[1], count = v.extent[2];
  const std::size_t rows = v.extent[0] * lengths;
  const auto values_of = [&](std::size_t row) {
    return v.as<const T>() + row / lengths * v.stride[0] + row % lengths * v.stride[1];
  };
  const auto mean_of = [=](std::size_t row) -> T& {
    return mean[row / lengths * mean_stride + row % lengths];
  };
  const OpenmpPieces pieces(rows, count, sizeof(T));
  if (pieces.cut()) {
    openmp_sum_pieces(pieces, partial, threads,
                      [&](std::size_t row, std::size_t m) { return values_of(row)[m]; });
    for (std::size_t row = 0; row < rows; ++row)
      mean_of(row) = openmp_row(pieces, partial, row) / static_cast<T>(count);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t row = 0; row < rows; ++row) {
    const T* values = values_of(row);
    mean_of(row) =
        openmp_sum<T>(count, [values](std::size_t m) { return values[m]; }) / static_cast<T>(count);
  }
}

/// Its roundings: a sum and a division.
inline double openmp_average_steps(const Shape& s, Type type) {
  return openmp_average_pieces(s, type).steps(type) + 1;
}

} // namespace ado
