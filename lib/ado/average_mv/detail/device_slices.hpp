// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the product of average_mv keeps in a team's scratch on a GPU: slices. A slice holds some columns
// of all rows that a tile of y needs. One slice is used while the next ones are copied.
#pragma once

#include <ado/average_mv/detail/plan.hpp>
#include <ado/portable/async_copy.hpp>
#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::detail::device_product {

/// A slice of the rows of a and, below them, of mean.
template <class Tile, class T>
struct Slice {
  static constexpr int depth = Tile::slice_bytes / static_cast<int>(sizeof(T));
  static constexpr int lines = Tile::rows + Tile::columns;
  static constexpr int pitch = depth + Tile::template padding<T>;
  alignas(16) T element[lines][pitch];
};

/// A thread's share in copying slices: the same places in every slice, `width` elements each.
template <class Tile, int width, class T>
struct Copies {
  static constexpr int per_line = Slice<Tile, T>::depth / width;
  static constexpr int all = Slice<Tile, T>::lines * per_line; ///< of the team's threads together
  static constexpr int count = (all + Tile::threads - 1) / Tile::threads;
  static_assert(Tile::threads % per_line == 0);
  const T* from[count];
  std::size_t length;
  int thread;

  KOKKOS_FUNCTION int line(int k) const { return (k * Tile::threads + thread) / per_line; }
  KOKKOS_FUNCTION int column() const { return thread % per_line * width; }
  /// Whether this thread has place k: not all threads need have the last one.
  KOKKOS_FUNCTION bool has(int k) const {
    return all % Tile::threads == 0 || line(k) < Slice<Tile, T>::lines;
  }

  /// Rows beyond the matrices repeat the first rows; they reach no result. If they all repeated the last
  /// row, all teams would ask for the same cache line at once.
  KOKKOS_FUNCTION Copies(const Product<T>& p, std::size_t i0, std::size_t n0, int thread_)
      : length(p.length), thread(thread_) {
    ADO_UNROLL
    for (int k = 0; k < count; ++k)
      from[k] = line(k) < Tile::rows
                    ? p.a + inside(i0 + line(k), p.rows) * p.lda
                    : p.mean + inside(n0 + line(k) - Tile::rows, p.sets) * p.length;
  }
  static KOKKOS_FUNCTION std::size_t inside(std::size_t row, std::size_t rows) {
    return row < rows ? row : Kokkos::min(row - rows, rows - 1);
  }
  /// Columns beyond the matrices become 0.
  KOKKOS_FUNCTION void start(Slice<Tile, T>& to, std::size_t j0) const {
    const std::size_t j = j0 + column();
    const bool valid = j < length;
    ADO_UNROLL
    for (int k = 0; k < count; ++k)
      if (has(k))
        start_copy<static_cast<int>(width * sizeof(T))>(&to.element[line(k)][column()],
                                                        from[k] + (valid ? j : 0), valid);
  }
};

/// y(i, n) = value; does nothing if y has no such element.
template <class T>
KOKKOS_FUNCTION void store_element(const Product<T>& p, std::size_t i, std::size_t n, T value) {
  if (i < p.rows && n < p.sets) p.y[i * p.y_row + n * p.y_column] = value;
}

} // namespace ado::detail::device_product
