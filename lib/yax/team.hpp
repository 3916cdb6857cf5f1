// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, team: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   league: tiles of a, some rows by a piece of the columns. device: a row goes to 1, 4, 16
//             or 32 lanes of a thread by its length, a long one to the whole team. host: one
//             thread, its lanes are SIMD registers. Then one team adds the tiles' sums
//   scratch   none but the team's reduction; workspace: one number a tile
//   bytes     reads a once, x once a row (from cache), y once
//   needs     workspace of yax_workspace_bytes()
//   teaches   against `row_per_thread`: lanes side by side along a row are coalesced; and a team
//             reduction a tile with a second small kernel is deterministic and costs no atomics
#pragma once

#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/rows.hpp>
#include <ado/portable/sum.hpp>
#include <ado/yax/finish.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace ado {

/// The tiles that a is cut into: some rows each, or where few rows are long a piece of one row. A
/// function of the shape alone, and so is the order of summation.
struct YaxTiles {
  int lanes; ///< that share a row; on a host 1
  std::size_t rows_per_tile;
  std::size_t pieces; ///< of a row; where there are several, a tile has one row
  std::size_t piece_length;
  std::size_t count;
};

/// Rows that a whole team shares on a GPU are tiles of their own: the next team's loads hide the
/// reduction of this one. Other rows come as many to a tile as a team works on at once, or a
/// multiple of that: up to about 32768 elements, where that leaves every core or multiprocessor
/// several tiles.
inline YaxTiles yax_tiles(bool on_host, std::size_t rows, std::size_t columns,
                          std::size_t element_bytes) {
  if (rows == 0 || columns == 0) return {1, 1, 1, columns, 0};
  const RowMapping map = map_rows(on_host, rows, columns, element_bytes);
  if (map.pieces > 1) return {map.lanes, 1, map.pieces, map.piece_length, rows * map.pieces};
  // A whole team only where a row is so long, or rows are so few, that its reduction at the end of
  // each does not count.
  const bool warps_do = rows >= 2048 && columns * element_bytes < std::size_t{128} * 1024;
  const int by_length = on_host ? 1 : device_lanes(columns, element_bytes);
  const int lanes = by_length == device_team_threads && warps_do ? device_vector_lanes : by_length;
  constexpr std::size_t most_tiles = 65536; // so many the last team adds in some microseconds
  std::size_t height = ceil_div(rows, most_tiles);
  if (on_host || lanes < device_team_threads) {
    // A team costs a host as much as 64 KiB of work in its cache.
    const std::size_t least = on_host ? 64 * 1024 / element_bytes : 1, most = 32768, tiles = 512;
    const std::size_t share = rows * columns / tiles;
    const std::size_t wanted = share < least ? least : share > most ? most : share;
    const std::size_t together = on_host ? 1 : device_team_threads / lanes;
    const std::size_t rounds = wanted / columns / together;
    height = (rounds == 0 ? 1 : rounds) * together;
  }
  return {lanes, height, 1, columns, ceil_div(rows, height)};
}

/// The terms of a dot product with x.
template <class T>
struct TimesVector {
  const T* x;
  KOKKOS_FUNCTION T operator()(T value, std::size_t j) const { return value * x[j]; }
  KOKKOS_FUNCTION T operator()(const Pack<T>& pack, std::size_t j) const {
    const auto& factor = *reinterpret_cast<const Pack<T>*>(x + j);
    T sum = pack.lane[0] * factor.lane[0];
    for (int i = 1; i < Pack<T>::size; ++i)
      sum += pack.lane[i] * factor.lane[i];
    return sum;
  }
};

template <class T>
struct YaxRef {
  const T* y;
  const T* a;
  std::size_t rows, columns, lda;
  const T* x;
};

/// Teams that a multiprocessor must hold at once; bounds the registers. H200, 32768^2, CUDA 13.0:
/// f64 1.861 ms, f32 0.930; with 3, for which registers do not suffice, 1.970 and 1.021.
inline constexpr int yax_resident_teams = 2;

/// The sum over one tile, of a piece of a row not yet times y: with an infinite y and pieces of both
/// signs that would make a NaN of what is an infinity. A row is shared by the lanes of the whole team
/// or of one thread; `wide` as in lanes_sum. Both are constants, for the registers of all cases
/// together would be too many. Neighbouring teams take the same piece of x, and find it in L2.
template <class Exec, class T, int lanes, bool wide>
struct YaxTeam {
  using Member = typename Teams<Exec>::member_type;
  static constexpr bool team_a_row = !runs_on_host<Exec> && lanes == team_threads<Exec>;

  YaxRef<T> p;
  YaxTiles tiles;
  T* partial; ///< one a tile

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t tile = team.league_rank();
    // A division would delay the first loads.
    const bool cut = tiles.pieces > 1;
    const std::size_t piece = cut ? tile / p.rows : 0, row_tile = tile - piece * p.rows;
    const std::size_t i0 = row_tile * tiles.rows_per_tile;
    const std::size_t j0 = Kokkos::min(piece * tiles.piece_length, p.columns);
    const std::size_t height = Kokkos::min(tiles.rows_per_tile, p.rows - i0);
    const std::size_t width = Kokkos::min(tiles.piece_length, p.columns - j0);
    const TimesVector<T> times_x{p.x + j0};
    T sum = 0;
    if constexpr (team_a_row) {
      for (std::size_t i = i0; i < i0 + height; ++i) {
        const T weight = cut ? T(1) : p.y[i]; // early: its latency hides under the row
        sum += weight * team_sum<T>(team, p.a + i * p.lda + j0, width, wide, times_x);
      }
    } else {
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(team, height),
          [&](std::size_t r, T& rows_sum) {
            const T* row = p.a + (i0 + r) * p.lda + j0;
            const T weight = cut ? T(1) : p.y[i0 + r];
            rows_sum += weight * lanes_sum<T, lanes>(team, row, width, wide, times_x);
          },
          sum);
    }
    Kokkos::single(Kokkos::PerTeam(team), [&] { partial[row_tile * tiles.pieces + piece] = sum; });
  }
};

/// *result = sum over i of y[i] * sum over p of partial[i * pieces + p], by one team.
template <class Exec, class T>
struct YaxJoinPieces {
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<1024, 1>>;
  static constexpr int most_threads = runs_on_host<Exec> ? 1 : 1024;

  const T* y;
  const T* partial;
  int rows, pieces;
  T* result;

  /// Lanes that share a row, for `pieces` is a power of two.
  static int lanes(std::size_t pieces) {
    return static_cast<int>(Kokkos::min(pieces, std::size_t{vector_lanes<Exec>}));
  }
  static int threads(std::size_t pieces) { return most_threads / lanes(pieces); }

  KOKKOS_FUNCTION void operator()(const typename Policy::member_type& team) const {
    T sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, rows),
        [&](int i, T& rows_sum) {
          T dot = 0;
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, pieces),
              [&](int k, T& pieces_sum) { pieces_sum += partial[i * pieces + k]; }, dot);
          rows_sum += y[i] * dot;
        },
        sum);
    Kokkos::single(Kokkos::PerTeam(team), [&] { *result = sum; });
  }
};

/// Launches the kernels; asynchronous on `exec`. `partial` holds yax_tiles(...).count numbers and is
/// aligned to packs.
template <class Exec, class T>
void yax_team(const Exec& exec, const YaxRef<T>& p, T* partial, T* result) {
  const YaxTiles tiles = yax_tiles(runs_on_host<Exec>, p.rows, p.columns, sizeof(T));
  const bool wide = aligned_to_pack(p.a) && aligned_to_pack(p.x) && p.lda % Pack<T>::size == 0;
  const auto sum_tiles = [&](auto lanes, auto is_wide) {
    using Kernel = YaxTeam<Exec, T, lanes, is_wide>;
    const int vector_length = Kernel::team_a_row ? vector_lanes<Exec> : int(lanes);
    Kokkos::parallel_for("ado::yax::tiles[team]",
                         teams<yax_resident_teams>(exec, tiles.count, vector_length),
                         Kernel{p, tiles, partial});
  };
  if (tiles.count != 0) with_row_constants<Exec>(tiles.lanes, wide, sum_tiles);
  if (tiles.pieces == 1) {
    yax_finish("ado::yax::finish[team]", exec, partial, tiles.count, result);
    return;
  }
  using Join = YaxJoinPieces<Exec, T>;
  Kokkos::parallel_for(
      "ado::yax::join[team]",
      typename Join::Policy(exec, 1, Join::threads(tiles.pieces), Join::lanes(tiles.pieces)),
      Join{p.y, partial, int(p.rows), int(tiles.pieces), result});
}

/// Roundings on the longest path: a row's sum with its products, the product with y, the rows of a
/// thread or team and the reduction over threads, then the sum over the tiles; or of a piece with
/// its products, the row's pieces, the product with y, the rows.
template <class Exec, class T>
double yax_team_steps(std::size_t rows, std::size_t columns) {
  const YaxTiles tiles = yax_tiles(runs_on_host<Exec>, rows, columns, sizeof(T));
  const bool team_a_row = !runs_on_host<Exec> && tiles.lanes == team_threads<Exec>;
  const std::size_t width = tiles.piece_length;
  const std::size_t height = Kokkos::min(rows, tiles.rows_per_tile);
  const double row =
      team_a_row ? team_sum_steps<T, Exec>(width) : lanes_sum_steps<T, Exec>(width, tiles.lanes);
  // Kokkos does not promise to add up its threads as a tree; those without a row have nothing.
  const auto rows_of = [](std::size_t count, std::size_t threads) {
    return double(ceil_div(count, threads)) + double(Kokkos::min(count, threads));
  };
  if (tiles.pieces > 1) {
    using Join = YaxJoinPieces<Exec, T>;
    const std::size_t lanes = Join::lanes(tiles.pieces);
    const double pieces = double(tiles.pieces / lanes - 1) + tree_depth(lanes);
    return row + 1 + pieces + rows_of(rows, Join::threads(tiles.pieces));
  }
  const double finish = yax_finish_steps<T, Exec>(tiles.count);
  if (team_a_row) return row + 2 + double(height) + finish;
  return row + 1 + rows_of(height, team_threads<Exec> / tiles.lanes) + finish;
}

} // namespace ado
