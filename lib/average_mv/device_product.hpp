// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Product of average_mv on a GPU: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   league: tiles of y; a team is a grid of 16 x 16 threads over its tile; thread: 8 x 8
//             to 2 x 2 elements of y in registers, by the size of y; lane: neighbouring n
//   scratch   two slices of 64 bytes of each row of a and of mean that the tile needs, transposed:
//             one is used while the next is loaded
//   bytes     reads a and mean once a tile row or column, from cache; writes y once
//   teaches   registers: each value read from scratch is used 2 to 8 times
#pragma once

#include <ado/average_mv/product_arrays.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/sum.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::device_product {

inline constexpr int side = 16; ///< threads along each side of a team's tile

/// Elements that are read from scratch at once.
template <class T, int n>
struct alignas(n * sizeof(T)) Group {
  T lane[n];
};

/// A thread's `count` rows (or columns) of the tile: groups of at most 16 bytes, those of
/// neighbouring threads side by side, so that reading them meets no bank twice.
template <class T, int count>
struct Spread {
  static constexpr int width = count < Pack<T>::size ? count : Pack<T>::size;
  static KOKKOS_FUNCTION int place(int thread, int k) {
    return (k / width * side + thread) * width + k % width;
  }
  /// Those elements of a row of scratch.
  static KOKKOS_FUNCTION void read(T (&to)[count], const T* from, int thread) {
    ADO_UNROLL
    for (int k = 0; k < count; k += width) {
      const auto group = *reinterpret_cast<const Group<T, width>*>(from + place(thread, k));
      ADO_UNROLL
      for (int lane = 0; lane < width; ++lane)
        to[k + lane] = group.lane[lane];
    }
  }
};

/// A slice of `rows` rows x `depth` columns on its way into scratch, where it lies transposed.
template <class T, int rows, int depth>
struct Slice {
  static constexpr int threads = side * side;
  static constexpr int each = rows * depth / threads;
  static constexpr int pitch = rows + Pack<T>::size; ///< keeps packs aligned, spreads the stores
  static constexpr int elements = depth * pitch;
  T value[each];

  /// Rows beyond the matrix repeat its last one, they reach no result; columns beyond it are 0.
  KOKKOS_FUNCTION void load(int thread, const T* matrix, std::size_t ld, std::size_t row0,
                            std::size_t row_count, std::size_t j0, std::size_t length) {
    const std::size_t j = j0 + thread % depth;
    ADO_UNROLL
    for (int k = 0; k < each; ++k) {
      const std::size_t row = row0 + thread / depth + k * (threads / depth);
      value[k] = j < length ? matrix[Kokkos::min(row, row_count - 1) * ld + j] : T(0);
    }
  }
  KOKKOS_FUNCTION void store(int thread, T* scratch) const {
    ADO_UNROLL
    for (int k = 0; k < each; ++k)
      scratch[thread % depth * pitch + thread / depth + k * (threads / depth)] = value[k];
  }
};

/// A thread has `high` rows x `wide` columns of y.
template <class Exec, class T, int high, int wide>
struct ProductTeam {
  using Member = typename Teams<Exec>::member_type;
  static_assert(team_threads<Exec> == side * side);
  static constexpr int tile_rows = high * side, tile_columns = wide * side;
  static constexpr int depth = 64 / sizeof(T);
  using SliceOfA = Slice<T, tile_rows, depth>;
  using SliceOfMean = Slice<T, tile_columns, depth>;
  static constexpr int buffer = SliceOfA::elements + SliceOfMean::elements;
  static constexpr std::size_t scratch_bytes = std::size_t{2} * buffer * sizeof(T);
  /// As in the hand-written kernel. H200: all 16 steps unrolled gain 5 % on f32 tiles of 8 x 4 and
  /// 2 x 2, and lose on the others.
  static constexpr int unroll = sizeof(T) == 4 && (high != wide || high == 2) ? depth : 4;

  Product<T> p;

  /// Adds the products of one slice.
  static KOKKOS_FUNCTION void add(T (&sum)[high][wide], const T* slice, int row, int column) {
    ADO_UNROLL_BY(unroll)
    for (int j = 0; j < depth; ++j) {
      T a[high], mean[wide];
      Spread<T, high>::read(a, slice + j * SliceOfA::pitch, row);
      Spread<T, wide>::read(mean, slice + SliceOfA::elements + j * SliceOfMean::pitch, column);
      ADO_UNROLL
      for (int r = 0; r < high; ++r)
        ADO_UNROLL
      for (int c = 0; c < wide; ++c)
        sum[r][c] += a[r] * mean[c];
    }
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* scratch =
        static_cast<T*>(team.team_scratch(0).get_shmem_aligned(std::size_t{scratch_bytes}, 16));
    const auto down = static_cast<unsigned>((p.length + tile_rows - 1) / tile_rows);
    const auto tile = static_cast<unsigned>(team.league_rank());
    const std::size_t i0 = std::size_t{tile % down} * tile_rows;
    const std::size_t n0 = std::size_t{tile / down} * tile_columns;
    const int thread = team.team_rank(), row = thread / side, column = thread % side;
    SliceOfA next_a;
    SliceOfMean next_mean;
    const auto load = [&](std::size_t j) {
      next_a.load(thread, p.a, p.lda, i0, p.length, j, p.length);
      next_mean.load(thread, p.mean, p.length, n0, p.sets, j, p.length);
    };
    const auto store = [&](T* slice) {
      next_a.store(thread, slice);
      next_mean.store(thread, slice + SliceOfA::elements);
      team.team_barrier();
    };
    T sum[high][wide] = {};
    load(0);
    store(scratch);
    int used = 0;
    for (std::size_t j = 0; j < p.length; j += depth) {
      const bool more = j + depth < p.length;
      if (more) load(j + depth);
      add(sum, scratch + used * buffer, row, column);
      used ^= 1;
      if (more) store(scratch + used * buffer); // slower threads may still read the other one
    }
    ADO_UNROLL
    for (int r = 0; r < high; ++r)
      ADO_UNROLL
    for (int c = 0; c < wide; ++c) {
      const std::size_t i = i0 + Spread<T, high>::place(row, r);
      const std::size_t n = n0 + Spread<T, wide>::place(column, c);
      if (i < p.length && n < p.sets) p.y[i * p.y_row + n * p.y_column] = sum[r][c];
    }
  }
};

/// Launches the kernel if it has at least `least_teams` tiles; says whether it did.
template <int high, int wide, class Exec, class T>
bool multiply_with(const Exec& exec, const Product<T>& p, std::size_t least_teams) {
  using Kernel = ProductTeam<Exec, T, high, wide>;
  const std::size_t tiles =
      ceil_div(p.length, Kernel::tile_rows) * ceil_div(p.sets, Kernel::tile_columns);
  if (tiles < least_teams) return false;
  auto policy = teams(exec, tiles);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes + 16)));
  Kokkos::parallel_for("ado::average_mv::product[team]", policy, Kernel{p});
  return true;
}

/// Launches the kernel; asynchronous on `exec`. Larger tiles need fewer reads of scratch an
/// operation, but enough of them must be there to occupy the device; the limits are those of the
/// hand-written kernel (H200, L = N = 1024, f32).
template <class Exec, class T>
void multiply(const Exec& exec, const Product<T>& p) {
  multiply_with<8, 8>(exec, p, 256) || multiply_with<8, 4>(exec, p, 96) ||
      multiply_with<4, 4>(exec, p, 96) || multiply_with<2, 2>(exec, p, 0);
}

} // namespace ado::device_product
