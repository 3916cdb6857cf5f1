// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first of two steps of yax by hand for CPUs: what is left to add are a few numbers, on one process or on many.
#pragma once

#include <ado/core/algorithm.hpp>
#include <ado/core/checks.hpp>
#include <ado/host/openmp_sum.hpp>

#include <algorithm>
#include <cstddef>

namespace ado {

/// Rows whose sums are added before they meet others.
inline constexpr std::size_t yax_block_rows = 16;

/// partial[block] = sum over its rows i of y[i] * (sum over j of a[i][j] * x[j]), for each block of yax_block_rows rows.
template <class T>
void yax_block_sums(const T* y, const Array& a, const T* x, T* partial, int threads) {
  const std::size_t rows = a.extent[0];
  const std::size_t blocks = ceil_div(rows, yax_block_rows);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t block = 0; block < blocks; ++block) {
    T sum = 0;
    openmp_sum_rows<T>(
        block * yax_block_rows, std::min((block + 1) * yax_block_rows, rows), a.extent[1],
        [&](std::size_t i) {
          return
              [row = a.as<const T>() + i * a.stride[0], x](std::size_t j) { return row[j] * x[j]; };
        },
        [&](std::size_t i, T row) { sum += y[i] * row; });
    partial[block] = sum;
  }
}

/// The sums of the pieces of each row of a, where rows are few and long.
template <class T>
void yax_piece_sums(const OpenmpPieces& pieces, const Array& a, const T* x, T* partial,
                    int threads) {
  openmp_sum_pieces(pieces, partial, threads, [&](std::size_t i, std::size_t j) {
    return a.as<const T>()[i * a.stride[0] + j] * x[j];
  });
}

/// Roundings on the longest path where all of these sums are added one after the other.
inline double yax_openmp_steps(const Shape& s, Type type) {
  const OpenmpPieces pieces(s[0], s[1], size_of(type));
  // 1: its products, 1: that with y
  if (pieces.cut()) return pieces.steps(type) + 1 + 1 + double(s[0]);
  return openmp_sum_rows_steps(std::min(s[0], yax_block_rows), s[1], type) + 1 + 1 +
         yax_block_rows + double(ceil_div(s[0], yax_block_rows));
}

} // namespace ado
