// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Product of average_mv on a GPU: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   league: tiles of y; a team's threads are in groups, a group takes its share of the
//             columns j of every slice; thread: 8 x 4 or 4 x 4 elements of y in registers
//   scratch   two slices of 64 to 256 bytes of every row of a and of mean that the tile needs: one
//             is used while the next is copied; then what the groups summed
//   bytes     reads a and mean once a row or column of tiles, from cache; writes y once
//   teaches   registers: each value read from scratch is used 4 or 8 times
#pragma once

#include <ado/average_mv/product_arrays.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/async_copy.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/sum.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::device_product {

/// How a team shares a tile of y: groups of 8 x across threads, each of them with high x wide
/// elements. In a warp 8 threads stand one below the other: with rows of scratch 16 bytes longer
/// than the slice, what they read meets no bank twice.
template <int across_, int high_, int wide_, int slice_bytes_, int groups_>
struct Tile {
  static constexpr int down = 8, across = across_, high = high_, wide = wide_, groups = groups_;
  static constexpr int group_threads = down * across, threads = groups * group_threads;
  static constexpr int rows = down * high, columns = across * wide;
  static constexpr int slice_bytes = slice_bytes_;
};
/// More elements a thread mean fewer reads of scratch an operation, more groups more threads where
/// tiles are few, and rows beyond those of y are work for nothing; measured with the hand-written
/// kernel, see there. Kokkos gives a team 48 KB of scratch at most: larger tiles (128 x 128, 110 KB, 4
/// to 10 % faster from L = 2048 on) do not fit.
using LargeTile = Tile<16, 8, 4, 128, 2>; // 64 x 64
using ManyTile = Tile<16, 8, 4, 128, 1>;
using SmallTile = Tile<8, 4, 4, 256, 4>; // 32 x 32
using FlatTile = Tile<32, 4, 4, 64, 1>;  // 32 x 128
inline constexpr std::size_t few_tiles = 128, many_tiles = 512;

/// A slice of the rows of a and of mean that a tile needs.
template <class Tile, class T>
struct Slice {
  static constexpr int pack = Pack<T>::size;
  static constexpr int depth = Tile::slice_bytes / static_cast<int>(sizeof(T));
  static constexpr int lines = Tile::rows + Tile::columns;
  alignas(16) T element[lines][depth + pack];

  /// Adds what the `group` makes of its columns.
  KOKKOS_FUNCTION void multiply(T (&sum)[Tile::high][Tile::wide], int group, int row,
                                int column) const {
    constexpr int share = depth / Tile::groups;
    ADO_UNROLL
    for (int j = group * share; j < (group + 1) * share; j += pack) {
      Pack<T> a[Tile::high], mean[Tile::wide];
      ADO_UNROLL
      for (int r = 0; r < Tile::high; ++r)
        a[r] = *reinterpret_cast<const Pack<T>*>(&element[row + r * Tile::down][j]);
      ADO_UNROLL
      for (int c = 0; c < Tile::wide; ++c)
        mean[c] =
            *reinterpret_cast<const Pack<T>*>(&element[Tile::rows + column + c * Tile::across][j]);
      ADO_UNROLL
      for (int k = 0; k < pack; ++k)
        ADO_UNROLL
      for (int r = 0; r < Tile::high; ++r)
        ADO_UNROLL
      for (int c = 0; c < Tile::wide; ++c)
        sum[r][c] += a[r].lane[k] * mean[c].lane[k];
    }
  }
};

/// A thread's part in copying slices: the same places of every slice, `width` elements each.
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
  /// Whether place k is there: the last one need not be for all threads.
  KOKKOS_FUNCTION bool has(int k) const {
    return all % Tile::threads == 0 || line(k) < Slice<Tile, T>::lines;
  }

  /// Rows beyond the matrices repeat their last one; they reach no result.
  KOKKOS_FUNCTION Copies(const Product<T>& p, std::size_t i0, std::size_t n0, int thread_)
      : length(p.length), thread(thread_) {
    ADO_UNROLL
    for (int k = 0; k < count; ++k)
      from[k] = line(k) < Tile::rows
                    ? p.a + Kokkos::min(i0 + line(k), p.length - 1) * p.lda
                    : p.mean + Kokkos::min(n0 + line(k) - Tile::rows, p.sets - 1) * p.length;
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

/// wide: rows of a and of mean are multiples of 16 bytes long and start on boundaries of 16.
template <class Exec, class T, class Tile, bool wide>
struct ProductTeam {
  /// What bounds the registers: sums of 128 bytes a thread leave room for 512 threads.
  static constexpr int resident_teams =
      (Tile::high * Tile::wide * sizeof(T) <= 128 ? 512 : 256) / Tile::threads;
  using Policy = Teams<Exec, resident_teams, Tile::threads>;
  using Member = typename Policy::member_type;
  using Slice = device_product::Slice<Tile, T>;
  using Sums = T[Tile::high * Tile::wide][Tile::group_threads];
  static constexpr std::size_t scratch_bytes = 2 * sizeof(Slice);
  static_assert(scratch_bytes >= (Tile::groups - 1) * sizeof(Sums));

  Product<T> p;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    void* const scratch = team.team_scratch(0).get_shmem_aligned(std::size_t{scratch_bytes}, 16);
    auto* const slices = static_cast<Slice*>(scratch);
    const auto tiles_down = static_cast<unsigned>((p.length + Tile::rows - 1) / Tile::rows);
    const auto rank = static_cast<unsigned>(team.league_rank());
    const std::size_t i0 = std::size_t{rank % tiles_down} * Tile::rows;
    const std::size_t n0 = std::size_t{rank / tiles_down} * Tile::columns;
    const int thread = team.team_rank();
    const int group = thread / Tile::group_threads, member = thread % Tile::group_threads;
    const int row = member % Tile::down, column = member / Tile::down;

    const Copies<Tile, wide ? Slice::pack : 1, T> copies(p, i0, n0, thread);
    T sum[Tile::high][Tile::wide] = {};
    int used = 0;
    copies.start(slices[0], 0);
    for (std::size_t j = 0; j < p.length; j += Slice::depth) {
      wait_for_copies();
      team.team_barrier(); // this slice is there for all, and nobody uses the other one any more
      if (j + Slice::depth < p.length) copies.start(slices[used ^ 1], j + Slice::depth);
      slices[used].multiply(sum, group, row, column);
      used ^= 1;
    }
    if constexpr (Tile::groups > 1)
      add_groups(team, sum, static_cast<Sums*>(scratch), group, member);
    if (group == 0) store(sum, i0 + row, n0 + column);
  }

  /// The first group adds what the others have.
  static KOKKOS_FUNCTION void add_groups(const Member& team, T (&sum)[Tile::high][Tile::wide],
                                         Sums* others, int group, int member) {
    team.team_barrier();
    ADO_UNROLL
    for (int k = 0; k < Tile::high * Tile::wide; ++k)
      if (group > 0) others[group - 1][k][member] = sum[k / Tile::wide][k % Tile::wide];
    team.team_barrier();
    if (group > 0) return;
    ADO_UNROLL
    for (int k = 0; k < Tile::high * Tile::wide; ++k)
      ADO_UNROLL
    for (int other = 0; other < Tile::groups - 1; ++other)
      sum[k / Tile::wide][k % Tile::wide] += others[other][k][member];
  }

  KOKKOS_FUNCTION void store(const T (&sum)[Tile::high][Tile::wide], std::size_t i0,
                             std::size_t n0) const {
    ADO_UNROLL
    for (int r = 0; r < Tile::high; ++r)
      ADO_UNROLL
    for (int c = 0; c < Tile::wide; ++c) {
      const std::size_t i = i0 + r * Tile::down, n = n0 + c * Tile::across;
      if (i < p.length && n < p.sets) p.y[i * p.y_row + n * p.y_column] = sum[r][c];
    }
  }
};

template <class Tile>
std::size_t tile_count(std::size_t length, std::size_t sets) {
  return ceil_div(length, Tile::rows) * ceil_div(sets, Tile::columns);
}
/// Calls f with the tile for y of `length` rows and `sets` columns: f.operator()<Tile>().
template <class T, class F>
auto with_tile(std::size_t length, std::size_t sets, F&& f) {
  const std::size_t tiles = tile_count<LargeTile>(length, sets);
  if (length <= FlatTile::rows && tile_count<FlatTile>(length, sets) >= few_tiles)
    return f.template operator()<FlatTile>();
  if (tiles < few_tiles || length <= FlatTile::rows) return f.template operator()<SmallTile>();
  if (sizeof(T) == 8 || tiles >= many_tiles) return f.template operator()<ManyTile>();
  return f.template operator()<LargeTile>();
}

template <class Tile, bool wide, class Exec, class T>
void launch(const Exec& exec, const Product<T>& p) {
  using Kernel = ProductTeam<Exec, T, Tile, wide>;
  typename Kernel::Policy policy(exec, league_size(tile_count<Tile>(p.length, p.sets)),
                                 Tile::threads);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes + 16)));
  Kokkos::parallel_for("ado::average_mv::product[team]", policy, Kernel{p});
}

template <class Tile, class Exec, class T>
void launch(const Exec& exec, const Product<T>& p) {
  constexpr std::size_t pack = Pack<T>::size;
  const bool wide =
      aligned_to_pack(p.a) && aligned_to_pack(p.mean) && p.lda % pack == 0 && p.length % pack == 0;
  if (wide)
    launch<Tile, true>(exec, p);
  else
    launch<Tile, false>(exec, p);
}

/// Launches the kernel; asynchronous on `exec`.
template <class Exec, class T>
void multiply(const Exec& exec, const Product<T>& p) {
  with_tile<T>(p.length, p.sets, [&]<class Tile>() { launch<Tile>(exec, p); });
}

template <class Tile, class T>
double rounding_steps_of(std::size_t length) {
  constexpr std::size_t depth = Slice<Tile, T>::depth, share = depth / Tile::groups;
  const std::size_t rest = length % depth;
  const std::size_t of_first = length / depth * share + (rest < share ? rest : share);
  const std::size_t groups = length < depth ? ceil_div(length, share) : Tile::groups;
  return static_cast<double>(of_first + groups);
}

/// Roundings on the longest path: the multiply-adds of the first group (one more where a product is
/// rounded before it is added), then one addition for each other group that has columns.
template <class T>
double rounding_steps(std::size_t length, std::size_t sets) {
  return with_tile<T>(length, sets,
                      [&]<class Tile>() { return rounding_steps_of<Tile, T>(length); });
}

} // namespace ado::device_product
