// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the product of average_mv on a GPU brings stages of a and mean to a team's scratch. One stage
// is used while the next ones are copied.
#pragma once

#include <ado/average_mv/detail/product/plan.hpp>
#include <ado/portable/async_copy.hpp>
#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace ado::detail::device_product {

using namespace product_plan;

/// First element of the row of a or of mean that a line of the tile at (i0, n0) has. Rows beyond
/// the matrices repeat the first rows; they reach no result. If all repeated the last row, all
/// teams would read the same cache line at once.
template <class Tile, class T>
KOKKOS_FUNCTION const T* row_of(const Product<T>& p, std::size_t i0, std::size_t n0, int line) {
  const auto inside = [](std::size_t row, std::size_t rows) {
    return row < rows ? row : Kokkos::min(row - rows, rows - 1);
  };
  return line < Tile::rows ? p.a + inside(i0 + line, p.rows) * p.lda
                           : p.mean + inside(n0 + line - Tile::rows, p.sets) * p.length;
}

/// Elements between the last boundary of 16 bytes and `row`.
template <class T>
KOKKOS_FUNCTION int shift_of(const T* row) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(row) % 16 / sizeof(T));
}

/// A thread's share in copying stages: the same places in every stage, `width` elements each. With
/// `shifted`, a stage of a row begins at the 16-byte boundary in front of it and has 16 bytes more,
/// in its padding.
template <class Tile, int width, bool shifted, class T>
struct Copies {
  static constexpr int lines = Stage<Tile, T>::lines, depth = Stage<Tile, T>::depth;
  static constexpr int per_line = depth / width;
  static constexpr int all = lines * per_line; ///< of the team's threads together
  static constexpr int in_depth = (all + Tile::threads - 1) / Tile::threads;
  static constexpr int behind = shifted ? (lines + Tile::threads - 1) / Tile::threads : 0;
  static constexpr int count = in_depth + behind;
  static_assert(Tile::threads % per_line == 0);
  const T* row[count];
  unsigned length;
  int thread;

  KOKKOS_FUNCTION int line(int k) const {
    return k < in_depth ? (k * Tile::threads + thread) / per_line
                        : (k - in_depth) * Tile::threads + thread;
  }
  KOKKOS_FUNCTION int column(int k) const {
    return k < in_depth ? thread % per_line * width : depth;
  }
  /// Whether this thread has place k: not all threads need have the last one.
  KOKKOS_FUNCTION bool has(int k) const {
    return (k < in_depth ? all : lines) % Tile::threads == 0 || line(k) < lines;
  }

  KOKKOS_FUNCTION Copies(const Product<T>& p, std::size_t i0, std::size_t n0, int thread_)
      : length(static_cast<unsigned>(p.length)), thread(thread_) {
    ADO_UNROLL
    for (int k = 0; k < count; ++k)
      row[k] = row_of<Tile>(p, i0, n0, has(k) ? line(k) : 0);
  }
  /// Columns beyond the matrices become 0. Floats go through L1: stages of unaligned rows find
  /// their neighbours' sectors there, and teams each other's rows. Doubles on 32-byte boundaries do
  /// as well past L1.
  KOKKOS_FUNCTION void start(Stage<Tile, T>& to, unsigned j0) const {
    if (shifted && j0 + depth + width > length) return start_elements(to, j0);
    const bool valid = shifted || j0 + column(0) < length;
    ADO_UNROLL
    for (int k = 0; k < count; ++k) {
      const T* const boundary = shifted ? row[k] - shift_of(row[k]) : row[k];
      if (has(k))
        start_copy<static_cast<int>(width * sizeof(T)), sizeof(T) == 4>(
            &to.element[line(k)][column(k)], boundary + (valid ? j0 + column(k) : 0), valid);
    }
  }

private:
  /// The same, element by element, where rows end in the stage or close behind it.
  KOKKOS_FUNCTION void start_elements(Stage<Tile, T>& to, unsigned j0) const {
    ADO_UNROLL
    for (int k = 0; k < count; ++k) {
      ADO_UNROLL
      for (int e = 0; e < width; ++e) {
        const unsigned j = j0 + column(k) + e - shift_of(row[k]); // wraps in front of the row
        if (has(k))
          start_copy<static_cast<int>(sizeof(T))>(&to.element[line(k)][column(k) + e],
                                                  row[k] + (j < length ? j : 0), j < length);
      }
    }
  }
};

/// y(i, n) = value; does nothing if y has no such element.
template <class T>
KOKKOS_FUNCTION void store_element(const Product<T>& p, std::size_t i, std::size_t n, T value) {
  if (i < p.rows && n < p.sets) p.y[i * p.y_row + n * p.y_column] = value;
}

} // namespace ado::detail::device_product
