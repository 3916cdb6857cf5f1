// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of `tuned`, which ado::yax calls. Its card: kokkos/tuned.cpp. Begin at the end, with
// yax_tuned(): first one sum per tile (portable/team_sums.hpp), then the sum of these (finish.hpp).
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/row_plan.hpp>
#include <ado/host/thread_memory.hpp>
#include <ado/portable/host_tasks.hpp>
#include <ado/portable/last_team.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/sum.hpp>
#include <ado/portable/team_sums.hpp>
#include <ado/portable/workspace.hpp>
#include <ado/yax/detail/finish.hpp>
#include <ado/yax/detail/plan.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ado::detail {

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
  template <class Register>
  Register operator()(const Register& values, std::size_t j) const {
    return values * load<Register>(x + j); // of a host
  }
};

template <class T>
struct YaxRef {
  const T* y;
  const T* a;
  std::size_t rows, columns, lda;
  const T* x;
};

/// Teams that a multiprocessor must hold at once; bounds the registers. Some must load while others
/// add up; 3 gain nothing over 2 or 4 (docs/lab/constants.md#yax).
inline constexpr int yax_resident_teams = 4;

/// The sum over one tile. The sum of a piece of a row is not multiplied by y yet: with an infinite
/// y and pieces of both signs, that would turn an infinity into a NaN. `wide` as in lane_share.
/// `wide` and `lanes` are constants, because all cases together would take too many registers.
/// Neighbouring teams take the same piece of x, and find it in L2.
template <class Exec, class T, int lanes, bool wide>
struct YaxTuned {
  static constexpr int threads = team_threads<Exec>;
  using Member = typename Teams<Exec>::member_type;

  YaxRef<T> p;
  YaxTiles tiles;
  T* partial; ///< one per tile

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto tile = static_cast<unsigned>(team.league_rank());
    // A division would delay the first loads.
    const bool cut = tiles.pieces > 1;
    const unsigned piece = cut ? tile / unsigned(p.rows) : 0;
    const std::size_t row_tile = tile - piece * unsigned(p.rows);
    const Part part = part_of(row_tile * tiles.rows_per_tile, tiles.rows_per_tile, piece);
    const T* const y = p.y + row_tile * tiles.rows_per_tile;
    const T sum = weighted_sum<T, threads, lanes>(
        team, part.height,
        [&](std::size_t r, int lane) {
          return lane_share<lanes>(lane, part.row(r), part.width, wide, part.times_x);
        },
        [&](std::size_t r) { return cut ? T(1) : y[r]; });
    if (team.team_rank() == 0) partial[row_tile * tiles.pieces + piece] = sum;
  }
  /// On a host, which needs no team: a tile, or the same piece of some rows.
  void operator()(std::int64_t index) const {
    const auto task = static_cast<std::size_t>(index);
    if (tiles.pieces == 1) {
      partial[task] = sum_on_host(part_of(task * tiles.rows_per_tile, tiles.rows_per_tile, 0),
                                  p.y + task * tiles.rows_per_tile);
      return;
    }
    const std::size_t groups = ceil_div(p.rows, host_rows_at_once);
    const std::size_t first = task % groups * host_rows_at_once, piece = task / groups;
    sum_pieces(part_of(first, host_rows_at_once, piece), partial + first * tiles.pieces + piece);
  }
  /// Tasks on a host. Rows that are cut into pieces share what is read of x, too.
  std::size_t tasks_on_host() const {
    return tiles.pieces == 1 ? tiles.count : ceil_div(p.rows, host_rows_at_once) * tiles.pieces;
  }

private:
  /// Of a, and the piece of x that it meets.
  struct Part {
    const T* a;
    std::size_t lda, height, width;
    TimesVector<T> times_x;

    KOKKOS_FUNCTION const T* row(std::size_t r) const { return a + r * lda; }
  };
  KOKKOS_FUNCTION Part part_of(std::size_t i0, std::size_t rows, std::size_t piece) const {
    const std::size_t j0 = Kokkos::min(piece * tiles.piece_length, p.columns);
    return {p.a + i0 * p.lda + j0, p.lda, Kokkos::min(rows, p.rows - i0),
            Kokkos::min(tiles.piece_length, p.columns - j0), TimesVector<T>{p.x + j0}};
  }
  /// The sums of some rows times y.
  static T sum_on_host(const Part& part, const T* y) {
    T sum = 0;
    if (part.height < host_rows_at_once) {
      for (std::size_t r = 0; r < part.height; ++r)
        sum += y[r] * host_sum(part.row(r), part.width, part.times_x);
      return sum;
    }
    T* const of_row = memory_of_thread<std::array<T, most_block_rows>>().data();
    for (std::size_t first = 0; first < part.height; first += most_block_rows) {
      const std::size_t rows = Kokkos::min(most_block_rows, part.height - first);
      host_sum_rows<T>(
          rows, part.width, [&](std::size_t r) { return part.row(first + r); }, part.times_x,
          [&](std::size_t r, T row_sum) { of_row[r] = row_sum; });
      sum += host_sum(of_row, rows, TimesVector<T>{y + first});
    }
    return sum;
  }
  /// The sums of a piece of each of up to four rows.
  void sum_pieces(const Part& part, T* to) const {
    if (part.height < host_rows_at_once) {
      for (std::size_t r = 0; r < part.height; ++r)
        to[r * tiles.pieces] = host_sum(part.row(r), part.width, part.times_x);
      return;
    }
    T sums[host_rows_at_once];
    host_sum_together({part.row(0), part.row(1), part.row(2), part.row(3)}, part.width,
                      part.times_x, sums);
    for (std::size_t r = 0; r < host_rows_at_once; ++r)
      to[r * tiles.pieces] = sums[r];
  }
};

/// The sums of the tiles, and theirs by the team that ends last.
template <class Exec, class T, int lanes, bool wide>
struct YaxInOne {
  using Member = typename Teams<Exec>::member_type;

  YaxTuned<Exec, T, lanes, wide> of_tiles;
  unsigned* arrived; ///< 0 before and after
  T* result;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    of_tiles(team);
    if (is_last_team<team_threads<Exec>>(team, arrived))
      YaxFinish<Exec, T, team_threads<Exec>>{of_tiles.partial, of_tiles.tiles.count, result}(team);
  }
};

/// Whether the team that ends last adds up the tiles. That saves a launch and costs each team a
/// fence, so only short work does it (docs/lab/constants.md#yax). Where tiles are many, a larger
/// team in a second kernel is better.
template <class Exec, class T>
bool yax_in_one(const YaxRef<T>& p, const YaxTiles& tiles) {
  constexpr std::size_t most_bytes = std::size_t{1} << 25;
  return !runs_on_host<Exec> && tiles.count > 1 && tiles.pieces == 1 &&
         finish_threads<Exec>(tiles.count) == team_threads<Exec> &&
         p.rows * p.columns <= most_bytes / sizeof(T);
}

/// Threads that share the pieces of a row.
template <class Exec>
int yax_join_lanes(std::size_t pieces) {
  return pieces < std::size_t{vector_lanes<Exec>} ? 1 : vector_lanes<Exec>;
}

/// *result = sum over i of y[i] * sum over p of partial[i * pieces + p], by one team of `threads`.
template <class Exec, class T, int lanes, int threads>
struct YaxJoinPieces {
  const T* y;
  const T* partial;
  std::size_t rows, pieces;
  T* result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const T sum = weighted_sum<T, threads, lanes>(
        team, rows,
        [&](std::size_t i, int lane) {
          return thread_share<Exec, lanes>(lane, partial + i * pieces, pieces);
        },
        [&](std::size_t i) { return y[i]; });
    if (team.team_rank() == 0) *result = sum;
  }
};

/// Whether rows can be read in packs. It decides the order of summation, too.
template <class T>
bool yax_reads_packs(const YaxRef<T>& p) {
  return aligned_to_pack(p.a) && aligned_to_pack(p.x) && p.lda % Pack<T>::size == 0;
}

/// Stage 1: sums[0 .. tiles.count), one for each tile of p; asynchronous on `exec`.
template <class Exec, class T>
void yax_tile_sums(const Exec& exec, const YaxRef<T>& p, const YaxTiles& tiles, bool wide,
                   T* sums) {
  const auto sum_tiles = [&](auto lanes, auto is_wide) {
    const YaxTuned<Exec, T, lanes, is_wide> kernel{p, tiles, sums};
    const char* label = "ado::yax::tiles[tuned]";
    if constexpr (runs_on_host<Exec>)
      host_tasks(label, exec, kernel.tasks_on_host(), kernel);
    else
      Kokkos::parallel_for(label, summing_teams<T, yax_resident_teams>(exec, tiles.count, 2),
                           kernel);
  };
  if (tiles.count != 0) with_row_constants<Exec>(tiles.lanes, wide, sum_tiles);
}

/// Both stages by one kernel; asynchronous on `exec`.
template <class Exec, class T>
void yax_by_last(const Exec& exec, const YaxRef<T>& p, const YaxTiles& tiles, T* sums,
                 unsigned* arrived, T* result) {
  with_row_constants<Exec>(tiles.lanes, yax_reads_packs(p), [&](auto lanes, auto wide) {
    Kokkos::parallel_for("ado::yax[tuned]",
                         // three sums, and room for who is last
                         summing_teams<T, yax_resident_teams>(exec, tiles.count, 4),
                         YaxInOne<Exec, T, lanes, wide>{{p, tiles, sums}, arrived, result});
  });
}

/// Stage 2: *result from the sums of all tiles of `rows` rows; asynchronous on `exec`. Reads y
/// where rows are cut in pieces.
template <class Exec, class T>
void yax_join(const Exec& exec, const YaxTiles& tiles, const T* y, std::size_t rows, const T* sums,
              T* result) {
  if (tiles.pieces == 1) {
    yax_finish("ado::yax::finish[tuned]", exec, sums, tiles.count, result);
    return;
  }
  with_constant<1, vector_lanes<Exec>>(yax_join_lanes<Exec>(tiles.pieces), [&](auto lanes) {
    // All rows at once by a small team, if it can: that has the same order, and starts sooner.
    const bool small = rows * lanes <= std::size_t{team_threads<Exec>};
    with_constant<team_threads<Exec>, most_finish_threads<Exec>>(
        small ? team_threads<Exec> : most_finish_threads<Exec>, [&](auto threads) {
          by_one_team<T, threads>(
              "ado::yax::join[tuned]", exec,
              YaxJoinPieces<Exec, T, lanes, threads>{y, sums, rows, tiles.pieces, result});
        });
  });
}

/// Launches the kernels; asynchronous on `exec`. The workspace holds counted_bytes and tiles.count
/// numbers.
template <class Exec, class T>
void yax_tuned(const Exec& exec, const YaxRef<T>& p, const YaxTiles& tiles,
               Workspace<Exec>& workspace, T* result) {
  if constexpr (!runs_on_host<Exec>)
    if (yax_in_one<Exec>(p, tiles)) {
      const auto [arrived, partial] = workspace.template counted<T>(exec);
      return yax_by_last(exec, p, tiles, partial, arrived, result);
    }
  T* const partial = workspace.template as<T>();
  const bool one = tiles.count == 1; // its sum is the result
  yax_tile_sums(exec, p, tiles, yax_reads_packs(p), one ? result : partial);
  if (!one) yax_join(exec, tiles, p.y, p.rows, partial, result);
}

} // namespace ado::detail
