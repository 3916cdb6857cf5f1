// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of average_mv's product by a GPU's tensor cores for doubles: a warp has tiles of 16 x 8
// elements of y in registers. Floats become doubles on their way into registers, so that their sums
// are rounded once, at the end.
#pragma once

#include <ado/average_mv/detail/device_slices.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/tensor_cores.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::detail::device_product {

/// How the warps of a team, down x across, share a tile of y: each has high x wide tiles of 16 x 8.
/// With rows of scratch four elements longer than the slice, what a warp reads at once (of doubles
/// half a warp) meets no bank twice.
template <int high, int wide, int down, int across, int slice_bytes_, int slice_count_>
struct MmaTile {
  static constexpr int threads = 32 * down * across;
  static constexpr int rows = 16 * high * down, columns = 8 * wide * across;
  static constexpr int slice_bytes = slice_bytes_, slice_count = slice_count_;
  template <class>
  static constexpr int padding = 4;
  template <class>
  static constexpr int resident_teams = high* wide == 8   ? 3
                                        : high* wide == 4 ? 4
                                        : high* wide == 2 ? 6
                                                          : 8;

  /// Roundings on the longest path, in whatever order the tensor cores add. Of floats those of the
  /// sum in double are 2^29 times smaller; its result is rounded once more.
  template <class T>
  static double steps(std::size_t length) {
    const auto in_double = static_cast<double>(length);
    return sizeof(T) == 8 ? in_double : in_double / (1 << 29) + 1;
  }

  /// A lane's elements of its warp's tiles.
  template <class T>
  class Sums {
  public:
    explicit KOKKOS_FUNCTION Sums(int thread)
        : lane_(thread % 32),
          row_(thread / 32 % down * 16 * high),
          column_(thread / 32 / down * 8 * wide) {}

    KOKKOS_FUNCTION void add(const Slice<MmaTile, T>& slice) {
      const T(*const a_rows)[Slice<MmaTile, T>::pitch] = slice.element + row_ + lane_ / 4;
      const T(*const b_rows)[Slice<MmaTile, T>::pitch] = slice.element + rows + column_ + lane_ / 4;
      // All of a slice of 128 bytes; of longer ones more would not fit the registers.
      ADO_UNROLL_BY(4)
      for (int j = 0; j < Slice<MmaTile, T>::depth; j += 8) {
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
                               Slice<MmaTile, T>*) const {
      // From one place on all lanes add the same, which takes no registers of theirs.
      const std::size_t own_i = i0 + row_ + lane_ / 4, own_n = n0 + column_ + lane_ % 4 * 2;
      T* const corner = p.y + own_i * p.y_row + own_n * p.y_column;
      ADO_UNROLL
      for (int r = 0; r < high; ++r) {
        ADO_UNROLL
        for (int c = 0; c < wide; ++c) {
          ADO_UNROLL
          for (int k = 0; k < 4; ++k) {
            const std::size_t i = 16 * r + k / 2 * 8, n = 8 * c + k % 2;
            if (own_i + i < p.length && own_n + n < p.sets)
              corner[i * p.y_row + n * p.y_column] = static_cast<T>(sum_[r][c][k]);
          }
        }
      }
    }

  private:
    int lane_, row_, column_; ///< of its warp's part of the tile
    double sum_[high][wide][4] = {};
  };
};

} // namespace ado::detail::device_product
