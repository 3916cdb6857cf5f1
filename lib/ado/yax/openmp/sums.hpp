// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax by hand for CPUs: after the first step a few numbers are left to add, on one process or on
// many.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/row_plan.hpp>
#include <ado/host/openmp_sum.hpp>
#include <ado/host/thread_memory.hpp>
#include <ado/registry/algorithm.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace ado::bench {

/// Rows of the whole a whose sums are added before they meet others.
inline std::size_t yax_block_rows(const Shape& s, std::size_t element_bytes) {
  return host_block_rows(s[0], s[1], element_bytes);
}

/// partial[block] = sum over its rows i of y[i] * (sum over j of a[i][j] * x[j]), for each block of
/// `together` rows.
template <class T>
void yax_block_sums(const T* y, const Array& a, const T* x, T* partial, std::size_t together,
                    int threads) {
  const std::size_t blocks = ceil_div(a.extent[0], together), columns = a.extent[1];
#pragma omp parallel for schedule(static) num_threads(threads) if (blocks > 1)
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t first = block * together, rows = std::min(together, a.extent[0] - first);
    const T* const data = a.as<const T>() + first * a.stride[0];
    const auto row = [&](std::size_t k) { return OpenmpProducts<T>{data + k * a.stride[0], x}; };
    T* const sums = memory_of_thread<std::array<T, most_block_rows>>().data();
    if (rows < openmp_rows_at_once)
      for (std::size_t k = 0; k < rows; ++k)
        sums[k] = openmp_sum<T>(columns, row(k));
    else
      openmp_sum_rows<T>(rows, columns, row, [&](std::size_t k, T sum) { sums[k] = sum; });
    partial[block] = openmp_sum<T>(rows, OpenmpProducts<T>{sums, y + first});
  }
}

/// weighted[i] = y[i] * (sum over j of a[i][j] * x[j]) of each row, where rows are few and long.
/// `partial`: one number per piece; `weighted` may begin there, too. A task is the same piece of
/// four rows, which share their reads of x (docs/lab/constants.md#yax).
template <class T>
void yax_row_sums(const OpenmpPieces& pieces, const T* y, const Array& a, const T* x, T* partial,
                  T* weighted, int threads) {
  constexpr std::size_t together = openmp_rows_at_once;
  const std::size_t groups = ceil_div(pieces.rows, together);
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t task = 0; task < groups * pieces.count; ++task) {
    const std::size_t row = task % groups * together, piece = task / groups;
    const std::size_t first = pieces.begin_of(piece), length = pieces.begin_of(piece + 1) - first;
    const auto products = [&](std::size_t i) {
      return OpenmpProducts<T>{a.as<const T>() + i * a.stride[0] + first, x + first};
    };
    T* const to = partial + row * pieces.count + piece;
    if (row + together > pieces.rows) {
      for (std::size_t i = row; i < pieces.rows; ++i)
        to[(i - row) * pieces.count] = openmp_sum<T>(length, products(i));
      continue;
    }
    T sums[together];
    openmp_sum_side_by_side<T>(
        length, {products(row), products(row + 1), products(row + 2), products(row + 3)}, sums);
    for (std::size_t r = 0; r < together; ++r)
      to[r * pieces.count] = sums[r];
  }
  for (std::size_t i = 0; i < pieces.rows; ++i)
    weighted[i] = y[i] * openmp_row(pieces, partial, i);
}

/// yax of one process. `partial`: yax_openmp_numbers().
template <class T>
T yax_openmp(const T* y, const Array& a, const T* x, T* partial, int threads) {
  const OpenmpPieces pieces(a.extent[0], a.extent[1], sizeof(T));
  std::size_t count = pieces.rows;
  if (pieces.cut()) {
    yax_row_sums(pieces, y, a, x, partial, partial, threads);
  } else {
    const std::size_t together = yax_block_rows({pieces.rows, a.extent[1], 1}, sizeof(T));
    yax_block_sums(y, a, x, partial, together, threads);
    count = ceil_div(pieces.rows, together);
  }
  return openmp_sum<T>(count, OpenmpValues<T>{partial});
}

/// A number for each block of rows, or for each piece.
inline std::size_t yax_openmp_numbers(const Shape& s, Type type) {
  return std::max(OpenmpPieces(s[0], s[1], size_of(type)).sums(),
                  ceil_div(s[0], yax_block_rows(s, size_of(type))));
}

/// Its roundings on the longest path, on one process or on many.
inline double yax_openmp_steps(const Shape& s, Type type) {
  const OpenmpPieces pieces(s[0], s[1], size_of(type));
  // 1: its products, 1: those with y
  if (pieces.cut()) return pieces.steps(type) + 1 + 1 + openmp_sum_steps(s[0], type);
  const std::size_t together = yax_block_rows(s, size_of(type));
  const double of_block = std::max(openmp_sum_steps(std::min(s[0], together), type),
                                   openmp_sum_steps(s[0] % together, type)); // the last one
  const double of_row =
      s[0] < openmp_rows_at_once ? openmp_sum_steps(s[1], type) : openmp_row_steps(s[1], type);
  return of_row + 1 + 1 + of_block + openmp_sum_steps(ceil_div(s[0], together), type);
}

} // namespace ado::bench
