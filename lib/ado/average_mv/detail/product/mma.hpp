// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of average_mv by a GPU's tensor cores for doubles: a warp has tiles of 16 x 8
// elements of y in registers. Floats become doubles on their way into registers, so that their sums
// are rounded once, at the end.
#pragma once

#include <ado/average_mv/detail/product/stages.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/tensor_cores.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::detail::device_product {

/// A lane's elements of its warp's tiles of 16 x 8, in an MmaTile. `shifted` as in Copies: the
/// rows of a that the lane reads are eight apart, so all begin equally far behind a 16-byte
/// boundary, and so do those of mean.
template <class Tile, bool shifted, class T>
class MmaSums {
  static constexpr int high = Tile::high, wide = Tile::wide, down = Tile::down;
  static constexpr int rows = Tile::rows;

public:
  KOKKOS_FUNCTION MmaSums(const Product<T>& p, std::size_t i0, std::size_t n0, int thread)
      : lane_(thread % 32),
        row_(thread / 32 % down * 16 * high),
        column_(thread / 32 / down * 8 * wide) {
    if constexpr (shifted) {
      a_shift_ = shift_of(row_of<Tile>(p, i0, n0, row_ + lane_ / 4));
      mean_shift_ = shift_of(row_of<Tile>(p, i0, n0, rows + column_ + lane_ / 4));
    }
  }

  KOKKOS_FUNCTION void add(const Stage<Tile, T>& stage) {
    const int a_column = lane_ % 4 + (shifted ? a_shift_ : 0);
    const int mean_column = lane_ % 4 + (shifted ? mean_shift_ : 0);
    const T(*const a_rows)[Stage<Tile, T>::pitch] = stage.element + row_ + lane_ / 4;
    const T(*const b_rows)[Stage<Tile, T>::pitch] = stage.element + rows + column_ + lane_ / 4;
    // All of a 128-byte stage; with longer stages, more would not fit the registers.
    ADO_UNROLL_BY(4)
    for (int j = 0; j < Stage<Tile, T>::depth; j += 8) {
      double a[high][4], b[wide][2];
      ADO_UNROLL
      for (int r = 0; r < 2 * high; ++r) {
        ADO_UNROLL
        for (int k = 0; k < 2; ++k)
          a[r / 2][r % 2 + 2 * k] = static_cast<double>(a_rows[8 * r][a_column + j + k * 4]);
      }
      ADO_UNROLL
      for (int c = 0; c < wide; ++c) {
        ADO_UNROLL
        for (int k = 0; k < 2; ++k)
          b[c][k] = static_cast<double>(b_rows[8 * c][mean_column + j + k * 4]);
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
                             Stage<Tile, T>*) const {
    store_to(p.y, p.y_row, p.y_column, p, i0, n0);
  }
  /// Stores sums of a split of the columns.
  KOKKOS_FUNCTION void store_split(const Product<T>& p, std::size_t i0, std::size_t n0,
                                   std::size_t split) const {
    store_to(p.split_sums + split * p.rows * p.sets, p.sets, 1, p, i0, n0);
  }

private:
  template <class To>
  KOKKOS_FUNCTION void store_to(To* y, std::size_t y_row, std::size_t y_column, const Product<T>& p,
                                std::size_t i0, std::size_t n0) const {
    // From its corner on, every lane adds the same offsets, and these take none of its registers.
    const std::size_t own_i = i0 + row_ + lane_ / 4, own_n = n0 + column_ + lane_ % 4 * 2;
    To* const corner = y + own_i * y_row + own_n * y_column;
    ADO_UNROLL
    for (int r = 0; r < high; ++r) {
      ADO_UNROLL
      for (int c = 0; c < wide; ++c) {
        ADO_UNROLL
        for (int k = 0; k < 4; ++k) {
          const std::size_t i = 16 * r + k / 2 * 8, n = 8 * c + k % 2;
          if (own_i + i < p.rows && own_n + n < p.sets)
            corner[i * y_row + n * y_column] = static_cast<To>(sum_[r][c][k]);
        }
      }
    }
  }

  int lane_, row_, column_; ///< of its warp's part of the tile
  int a_shift_ = 0, mean_shift_ = 0;
  double sum_[high][wide][4] = {};
};

} // namespace ado::detail::device_product
