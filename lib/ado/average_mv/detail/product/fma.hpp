// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of average_mv on a GPU by multiply-adds: a thread has 8 x 4 or 4 x 4 elements of y in
// registers, so each value read from scratch is used 4 or 8 times.
#pragma once

#include <ado/average_mv/detail/product/stages.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/pack.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::detail::device_product {

/// A thread's elements of an FmaTile.
template <class Tile, class T>
class FmaSums {
  static constexpr int down = Tile::down, across = Tile::across, high = Tile::high;
  static constexpr int wide = Tile::wide, shares = Tile::shares, rows = Tile::rows;
  static constexpr int share_threads = Tile::share_threads;

public:
  KOKKOS_FUNCTION FmaSums(const Product<T>&, std::size_t, std::size_t, int thread)
      : share_(thread / share_threads),
        member_(thread % share_threads),
        row_(member_ % down),
        column_(member_ / down) {}

  KOKKOS_FUNCTION void add(const Stage<Tile, T>& stage) {
    constexpr int pack = Pack<T>::size, each = Stage<Tile, T>::depth / shares;
    ADO_UNROLL
    for (int step = 0; step < each; step += pack) {
      const int j = share_ * each + step;
      Pack<T> a[high], mean[wide];
      ADO_UNROLL
      for (int r = 0; r < high; ++r)
        a[r] = *reinterpret_cast<const Pack<T>*>(&stage.element[row_ + r * down][j]);
      ADO_UNROLL
      for (int c = 0; c < wide; ++c)
        mean[c] = *reinterpret_cast<const Pack<T>*>(&stage.element[rows + column_ + c * across][j]);
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

  /// All threads must call it when the stages are used up. The other shares pass their sums to the
  /// first one through the memory of the stages; the first one adds and stores.
  template <class Team>
  KOKKOS_FUNCTION void store(const Team& team, const Product<T>& p, std::size_t i0, std::size_t n0,
                             Stage<Tile, T>* stages) {
    if constexpr (shares > 1) join(team, stages);
    if (share_ > 0) return;
    ADO_UNROLL
    for (int r = 0; r < high; ++r) {
      ADO_UNROLL
      for (int c = 0; c < wide; ++c)
        store_element(p, i0 + row_ + r * down, n0 + column_ + c * across, sum_[r][c]);
    }
  }

private:
  template <class Team>
  KOKKOS_FUNCTION void join(const Team& team, Stage<Tile, T>* stages) {
    using Others = T[high * wide][share_threads];
    static_assert(2 * sizeof(Stage<Tile, T>) >= (shares - 1) * sizeof(Others));
    auto* const others = reinterpret_cast<Others*>(stages);
    team.team_barrier();
    ADO_UNROLL
    for (int k = 0; k < high * wide; ++k)
      if (share_ > 0) others[share_ - 1][k][member_] = sum_[k / wide][k % wide];
    team.team_barrier();
    if (share_ > 0) return;
    ADO_UNROLL
    for (int k = 0; k < high * wide; ++k) {
      ADO_UNROLL
      for (int other = 0; other < shares - 1; ++other)
        sum_[k / wide][k % wide] += others[other][k][member_];
    }
  }

  int share_, member_, row_, column_;
  T sum_[high][wide] = {};
};

} // namespace ado::detail::device_product
