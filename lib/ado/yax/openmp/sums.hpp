// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first of two steps of yax by hand for CPUs: what is left to add are a few numbers, on one process or on many.
#pragma once

#include <ado/core/algorithm.hpp>
#include <ado/core/checks.hpp>
#include <ado/core/row_plan.hpp>
#include <ado/host/openmp_sum.hpp>

#include <algorithm>
#include <cstddef>

namespace ado {

/// Rows of the whole a whose sums are added before they meet others.
inline std::size_t yax_block_rows(const Shape& s, std::size_t element_bytes) {
  return host_block_rows(s[0], s[1], element_bytes);
}

/// partial[block] = sum over its rows i of y[i] * (sum over j of a[i][j] * x[j]), for each block of `together` rows.
template <class T>
void yax_block_sums(const T* y, const Array& a, const T* x, T* partial, std::size_t together,
                    int threads) {
  const std::size_t blocks = ceil_div(a.extent[0], together), columns = a.extent[1];
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t first = block * together, rows = std::min(together, a.extent[0] - first);
    const T* const data = a.as<const T>() + first * a.stride[0];
    const auto row = [&](std::size_t k) { return OpenmpProducts<T>{data + k * a.stride[0], x}; };
    T sums[most_block_rows];
    if (rows < openmp_rows_at_once)
      for (std::size_t k = 0; k < rows; ++k)
        sums[k] = openmp_sum<T>(columns, row(k));
    else
      openmp_sum_rows<T>(rows, columns, row, [&](std::size_t k, T sum) { sums[k] = sum; });
    partial[block] = openmp_sum<T>(rows, OpenmpProducts<T>{sums, y + first});
  }
}

/// The sums of the pieces of each row of a, where rows are few and long.
template <class T>
void yax_piece_sums(const OpenmpPieces& pieces, const Array& a, const T* x, T* partial,
                    int threads) {
  openmp_sum_pieces(pieces, partial, threads, [&](std::size_t i) {
    return OpenmpProducts<T>{a.as<const T>() + i * a.stride[0], x};
  });
}

/// Roundings on the longest path, where the sums of all rows or blocks are added by openmp_sum().
inline double yax_openmp_steps(const Shape& s, Type type) {
  const OpenmpPieces pieces(s[0], s[1], size_of(type));
  // 1: its products, 1: those with y
  if (pieces.cut()) return pieces.steps(type) + 1 + 1 + double(s[0]);
  const std::size_t together = yax_block_rows(s, size_of(type));
  const double of_block = std::max(openmp_sum_steps(std::min(s[0], together), type),
                                   openmp_sum_steps(s[0] % together, type)); // the last one
  const double of_row =
      s[0] < openmp_rows_at_once ? openmp_sum_steps(s[1], type) : openmp_row_steps(s[1], type);
  return of_row + 1 + 1 + of_block + openmp_sum_steps(ceil_div(s[0], together), type);
}

} // namespace ado
