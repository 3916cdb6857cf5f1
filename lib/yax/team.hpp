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

/// The tiles that a is cut into: the same for every backend's order of summation to be fixed by the
/// shape alone.
struct YaxTiles {
  std::size_t rows_per_tile, columns_per_tile;
  std::size_t row_tiles, column_tiles;
  int lanes; ///< that share a row on a GPU
  std::size_t count() const { return row_tiles * column_tiles; }
  /// Whether rows are cut in pieces; then a tile is a piece of one row.
  KOKKOS_FUNCTION bool cut() const { return column_tiles > 1; }
  /// Numbers that the kernels leave to each other: one a tile, then one a row that is cut.
  std::size_t sums() const { return count() + (cut() ? row_tiles : 0); }
};

/// Lanes that share a row of a tile on a GPU: a whole team only where the row is so long, or rows are
/// so few, that the team's reduction at the end of each does not count.
inline int yax_lanes(std::size_t rows, std::size_t width, std::size_t element_bytes) {
  const int lanes = device_lanes(width, element_bytes);
  const bool warps_do = rows >= 2048 && width * element_bytes < std::size_t{128} * 1024;
  return lanes == device_team_threads && warps_do ? 32 : lanes;
}

/// Rows that a whole team shares on a GPU are tiles of their own, or pieces of 32768 elements at
/// most, shorter where rows are few: the next team's loads hide the reduction of this one. Other
/// rows come as many to a tile as a team works on at once, or a multiple of that: about 32768
/// elements, fewer where a matrix would not give every core or multiprocessor several tiles.
inline YaxTiles yax_tiles(std::size_t rows, std::size_t columns, std::size_t element_bytes) {
  if (rows == 0 || columns == 0) return {1, columns, rows, 0, 1};
  // At least 64 KiB, twice what gives every lane of a team its loads: only then may a row be cut.
  // Whole KiB, so that pieces of an aligned row are aligned.
  const std::size_t least = 64 * 1024 / element_bytes, most = 32768, tiles = 512;
  const std::size_t share = rows * columns / tiles / 1024 * 1024;
  const std::size_t wanted = share < least ? least : share > most ? most : share;
  const std::size_t width = columns < wanted ? columns : wanted;
  const int lanes = yax_lanes(rows, width, element_bytes);
  const std::size_t together = device_team_threads / lanes;
  constexpr std::size_t most_tiles = 65536; // so many the last team adds in some microseconds
  const std::size_t rounds = together == 1 ? ceil_div(rows, most_tiles) : wanted / width / together;
  const std::size_t height = (rounds == 0 || width < columns ? 1 : rounds) * together;
  return {height, width, ceil_div(rows, height), ceil_div(columns, width), lanes};
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
    // A division would delay the first loads.
    const std::size_t tile = team.league_rank(), piece = tiles.cut() ? tile / p.rows : 0;
    const std::size_t row_tile = tile - piece * p.rows;
    const std::size_t i0 = row_tile * tiles.rows_per_tile, j0 = piece * tiles.columns_per_tile;
    const std::size_t height = Kokkos::min(tiles.rows_per_tile, p.rows - i0);
    const std::size_t width = Kokkos::min(tiles.columns_per_tile, p.columns - j0);
    const TimesVector<T> times_x{p.x + j0};
    T sum = 0;
    if constexpr (team_a_row) {
      for (std::size_t i = i0; i < i0 + height; ++i) {
        const T weight = tiles.cut() ? T(1) : p.y[i]; // early: its latency hides under the row
        sum += weight * team_sum<T>(team, p.a + i * p.lda + j0, width, wide, times_x);
      }
    } else {
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(team, height),
          [&](std::size_t r, T& rows_sum) {
            const T* row = p.a + (i0 + r) * p.lda + j0;
            const T weight = tiles.cut() ? T(1) : p.y[i0 + r];
            rows_sum += weight * lanes_sum<T, lanes>(team, row, width, wide, times_x);
          },
          sum);
    }
    Kokkos::single(Kokkos::PerTeam(team),
                   [&] { partial[row_tile * tiles.column_tiles + piece] = sum; });
  }
};

/// Rows from their pieces: row_sum[i] = y[i] * sum of partial[i * pieces .. (i + 1) * pieces).
template <class Exec, class T>
struct YaxJoinPieces {
  using Member = typename Teams<Exec>::member_type;
  static constexpr std::size_t rows_per_team = team_threads<Exec> / vector_lanes<Exec>;

  const T* y;
  const T* partial;
  std::size_t rows, pieces;
  T* row_sum;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t first = team.league_rank() * rows_per_team;
    const std::size_t last = Kokkos::min(first + rows_per_team, rows);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::size_t i) {
      const T dot = vector_sum<T>(team, partial + i * pieces, pieces, false, Identity<T>{});
      Kokkos::single(Kokkos::PerThread(team), [&] { row_sum[i] = y[i] * dot; });
    });
  }
};

/// Launches the kernels; asynchronous on `exec`. `partial` holds yax_tiles(...).sums() numbers.
template <class Exec, class T>
void yax_team(const Exec& exec, const YaxRef<T>& p, T* partial, T* result) {
  const YaxTiles tiles = yax_tiles(p.rows, p.columns, sizeof(T));
  const bool wide = aligned_to_pack(p.a) && aligned_to_pack(p.x) && p.lda % Pack<T>::size == 0;
  const auto sum_tiles = [&](auto lanes, auto is_wide) {
    using Kernel = YaxTeam<Exec, T, lanes, is_wide>;
    const int vector_length = Kernel::team_a_row ? vector_lanes<Exec> : int(lanes);
    Kokkos::parallel_for("ado::yax::tiles[team]",
                         teams<yax_resident_teams>(exec, tiles.count(), vector_length),
                         Kernel{p, tiles, partial});
  };
  if (tiles.count() != 0) with_row_constants<Exec>(tiles.lanes, wide, sum_tiles);
  if (!tiles.cut()) {
    yax_finish("ado::yax::finish[team]", exec, partial, tiles.count(), result);
    return;
  }
  using Join = YaxJoinPieces<Exec, T>;
  T* const row_sum = partial + tiles.count();
  Kokkos::parallel_for("ado::yax::join[team]",
                       teams(exec, ceil_div(p.rows, Join::rows_per_team), vector_lanes<Exec>),
                       Join{p.y, partial, p.rows, tiles.column_tiles, row_sum});
  yax_finish("ado::yax::finish[team]", exec, row_sum, p.rows, result);
}

/// Roundings on the longest path: a row's sum with its products, the product with y, the rows of a
/// thread or team and the reduction over threads, then the sum over the tiles; or of a piece with
/// its products, the row's pieces, the product with y, the rows.
template <class Exec, class T>
double yax_team_steps(std::size_t rows, std::size_t columns) {
  const YaxTiles tiles = yax_tiles(rows, columns, sizeof(T));
  const std::size_t width = tiles.columns_per_tile;
  const std::size_t height = rows < tiles.rows_per_tile ? rows : tiles.rows_per_tile;
  const int lanes = runs_on_host<Exec> ? 1 : tiles.lanes;
  const bool team_a_row = !runs_on_host<Exec> && lanes == team_threads<Exec>;
  const double row =
      team_a_row ? team_sum_steps<T, Exec>(width) : lanes_sum_steps<T, Exec>(width, lanes);
  if (tiles.cut())
    return row + 1 + vector_sum_steps<T, Exec>(tiles.column_tiles) + 1 +
           team_sum_steps<T, Exec>(rows);
  const double finish = team_sum_steps<T, Exec>(tiles.count());
  if (team_a_row) return row + 2 + double(height) + finish;
  // Kokkos does not promise to add up its threads as a tree; those without a row have nothing.
  const std::size_t threads = team_threads<Exec> / lanes;
  const double tile =
      double(ceil_div(height, threads)) + double(height < threads ? height : threads);
  return row + 1 + tile + finish;
}

} // namespace ado
