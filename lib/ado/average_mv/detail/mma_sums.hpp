// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of average_mv by a GPU's tensor cores for doubles: a warp has tiles of 16 x 8
// elements of y in registers. Floats become doubles on their way into registers, so that their sums
// are rounded once, at the end.
#pragma once

#include <ado/average_mv/detail/device_slices.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/tensor_cores.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::detail::device_product {

/// A lane's elements of its warp's tiles of 16 x 8, in a tile OfWarps.
template <class Tile, class T>
class MmaSums {
  static constexpr int high = Tile::high, wide = Tile::wide, down = Tile::down;
  static constexpr int rows = Tile::rows;

public:
  explicit KOKKOS_FUNCTION MmaSums(int thread)
      : lane_(thread % 32),
        row_(thread / 32 % down * 16 * high),
        column_(thread / 32 / down * 8 * wide) {}

  KOKKOS_FUNCTION void add(const Slice<Tile, T>& slice) {
    const T(*const a_rows)[Slice<Tile, T>::pitch] = slice.element + row_ + lane_ / 4;
    const T(*const b_rows)[Slice<Tile, T>::pitch] = slice.element + rows + column_ + lane_ / 4;
    // All of a 128-byte slice; with longer slices, more would not fit the registers.
    ADO_UNROLL_BY(4)
    for (int j = 0; j < Slice<Tile, T>::depth; j += 8) {
      double a[high][4], b[wide][2];
      ADO_UNROLL
      for (int r = 0; r < high; ++r) {
        ADO_UNROLL
        for (int k = 0; k < 4; ++k)
          a[r][k] = static_cast<double>(a_rows[16 * r + k % 2 * 8][j + lane_ % 4 + k / 2 * 4]);
      }
      ADO_UNROLL
      for (int c = 0; c < wide; ++c) {
        ADO_UNROLL
        for (int k = 0; k < 2; ++k)
          b[c][k] = static_cast<double>(b_rows[8 * c][j + lane_ % 4 + k * 4]);
      }
      ADO_UNROLL
      for (int r = 0; r < high; ++r) {
        ADO_UNROLL
        for (int c = 0; c < wide; ++c)
          tensor_multiply_add(sum_[r][c], a[r], b[c]);
      }
    }
  }

  template <class Team>
  KOKKOS_FUNCTION void store(const Team&, const Product<T>& p, std::size_t i0, std::size_t n0,
                             Slice<Tile, T>*) const {
    // From its corner on, every lane adds the same offsets, and these take none of its registers.
    const std::size_t own_i = i0 + row_ + lane_ / 4, own_n = n0 + column_ + lane_ % 4 * 2;
    T* const corner = p.y + own_i * p.y_row + own_n * p.y_column;
    ADO_UNROLL
    for (int r = 0; r < high; ++r) {
      ADO_UNROLL
      for (int c = 0; c < wide; ++c) {
        ADO_UNROLL
        for (int k = 0; k < 4; ++k) {
          const std::size_t i = 16 * r + k / 2 * 8, n = 8 * c + k % 2;
          if (own_i + i < p.rows && own_n + n < p.sets)
            corner[i * p.y_row + n * p.y_column] = static_cast<T>(sum_[r][c][k]);
        }
      }
    }
  }

private:
  int lane_, row_, column_; ///< of its warp's part of the tile
  double sum_[high][wide][4] = {};
};

} // namespace ado::detail::device_product
