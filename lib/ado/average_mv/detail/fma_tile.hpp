// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of average_mv's product on a GPU by multiply-adds: a thread has 8 x 4 or 4 x 4 elements of y
// in registers, so each value read from scratch is used 4 or 8 times.
#pragma once

#include <ado/average_mv/detail/device_slices.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/sum.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::detail::device_product {

/// How a team shares a tile of y: groups of 8 x across threads, each of them with high x wide
/// elements; a group takes its share of the columns of every slice. In a warp 8 threads stand one
/// below the other: with rows of scratch 16 bytes longer than the slice, what they read meets no bank
/// twice.
template <int across_, int high_, int wide_, int slice_bytes_, int groups_>
struct FmaTile {
  static constexpr int down = 8, across = across_, high = high_, wide = wide_, groups = groups_;
  static constexpr int group_threads = down * across, threads = groups * group_threads;
  static constexpr int rows = down * high, columns = across * wide;
  static constexpr int slice_bytes = slice_bytes_, slice_count = 2;
  template <class T>
  static constexpr int padding = 16 / static_cast<int>(sizeof(T));
  /// What bounds the registers: sums of 128 bytes a thread leave room for 512 threads.
  template <class T>
  static constexpr int resident_teams = (high * wide * sizeof(T) <= 128 ? 512 : 256) / threads;

  /// Roundings on the longest path: the multiply-adds of the first group (one more where a product is
  /// rounded before it is added), then one addition for each other group that has columns.
  template <class T>
  static double steps(std::size_t length) {
    constexpr std::size_t depth = slice_bytes / sizeof(T), share = depth / groups;
    const std::size_t rest = length % depth;
    const std::size_t of_first = length / depth * share + (rest < share ? rest : share);
    const std::size_t used = length < depth ? ceil_div(length, share) : groups;
    return static_cast<double>(of_first + used);
  }

  /// A thread's elements of the tile.
  template <class T>
  class Sums {
  public:
    explicit KOKKOS_FUNCTION Sums(int thread)
        : group_(thread / group_threads),
          member_(thread % group_threads),
          row_(member_ % down),
          column_(member_ / down) {}

    KOKKOS_FUNCTION void add(const Slice<FmaTile, T>& slice) {
      constexpr int pack = Pack<T>::size, share = Slice<FmaTile, T>::depth / groups;
      ADO_UNROLL
      for (int step = 0; step < share; step += pack) {
        const int j = group_ * share + step;
        Pack<T> a[high], mean[wide];
        ADO_UNROLL
        for (int r = 0; r < high; ++r)
          a[r] = *reinterpret_cast<const Pack<T>*>(&slice.element[row_ + r * down][j]);
        ADO_UNROLL
        for (int c = 0; c < wide; ++c)
          mean[c] =
              *reinterpret_cast<const Pack<T>*>(&slice.element[rows + column_ + c * across][j]);
        ADO_UNROLL
        for (int k = 0; k < pack; ++k) {
          ADO_UNROLL
          for (int r = 0; r < high; ++r) {
            ADO_UNROLL
            for (int c = 0; c < wide; ++c)
              sum_[r][c] += a[r].lane[k] * mean[c].lane[k];
          }
        }
      }
    }

    /// To be called by all threads when the slices are used up: the first group adds what the others
    /// have, through their memory, and stores.
    template <class Team>
    KOKKOS_FUNCTION void store(const Team& team, const Product<T>& p, std::size_t i0,
                               std::size_t n0, Slice<FmaTile, T>* slices) {
      if constexpr (groups > 1) join(team, slices);
      if (group_ > 0) return;
      ADO_UNROLL
      for (int r = 0; r < high; ++r) {
        ADO_UNROLL
        for (int c = 0; c < wide; ++c)
          store_element(p, i0 + row_ + r * down, n0 + column_ + c * across, sum_[r][c]);
      }
    }

  private:
    template <class Team>
    KOKKOS_FUNCTION void join(const Team& team, Slice<FmaTile, T>* slices) {
      using Others = T[high * wide][group_threads];
      static_assert(2 * sizeof(Slice<FmaTile, T>) >= (groups - 1) * sizeof(Others));
      auto* const others = reinterpret_cast<Others*>(slices);
      team.team_barrier();
      ADO_UNROLL
      for (int k = 0; k < high * wide; ++k)
        if (group_ > 0) others[group_ - 1][k][member_] = sum_[k / wide][k % wide];
      team.team_barrier();
      if (group_ > 0) return;
      ADO_UNROLL
      for (int k = 0; k < high * wide; ++k) {
        ADO_UNROLL
        for (int other = 0; other < groups - 1; ++other)
          sum_[k / wide][k % wide] += others[other][k][member_];
      }
    }

    int group_, member_, row_, column_;
    T sum_[high][wide] = {};
  };
};

} // namespace ado::detail::device_product
