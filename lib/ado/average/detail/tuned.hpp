// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of `tuned`, which ado::average calls. Its card: kokkos/tuned.cpp.
#pragma once

#include <ado/average/detail/host_rows.hpp>
#include <ado/average/detail/short_rows.hpp>
#include <ado/average/detail/vectors.hpp>
#include <ado/core/checks.hpp>
#include <ado/host/streamed_stores.hpp>
#include <ado/portable/host_tasks.hpp>
#include <ado/portable/lanes.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/sum.hpp>
#include <ado/portable/team_sums.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::detail {

/// Teams that a multiprocessor must hold at once; bounds the registers.
inline constexpr int average_resident_teams = 4;

/// Sums tasks: rows of v, or pieces of rows. `wide` as in lane_share.
template <class Exec, class T, int lanes, bool wide>
struct AverageTuned {
  static constexpr int threads = team_threads<Exec>, groups = threads / lanes;
  static constexpr bool team_a_task = !runs_on_host<Exec> && groups == 1;
  /// Not where the lanes that share a row shuffle, nor where a thread has it alone.
  static constexpr bool needs_team =
      team_a_task || (!runs_on_host<Exec> && lanes > 1 && !has_shuffles<Exec>);
  using Member = typename Teams<Exec, average_resident_teams>::member_type;

  VectorsRef<T> v;
  RowMapping map;
  T* mean;
  std::size_t mean_stride;
  T* partial; ///< one per piece; used if a row has several pieces
  std::size_t tasks, tasks_per_team;

  static std::size_t tasks_a_team(std::size_t tasks, std::size_t length) {
    return runs_on_host<Exec> ? host_block_rows(tasks, length, sizeof(T)) : groups;
  }

  /// If it needs no team.
  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const auto thread = static_cast<std::size_t>(index);
    KOKKOS_IF_ON_HOST((on_host(thread * tasks_per_team);))
    KOKKOS_IF_ON_DEVICE((sum_task(thread / lanes, tasks, thread % lanes,
                                  [](T sum) { return shuffled_sum<lanes, 1>(sum); });))
  }
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t begin = std::size_t(team.league_rank()) * tasks_per_team;
    const std::size_t end = Kokkos::min(begin + tasks_per_team, tasks);
    const int thread = team.team_rank();
    sum_task(begin + thread / lanes, end, thread % lanes, [&](T sum) {
      return row_sum<lanes, threads>(team, sum, scratch_of<T, threads>(team));
    });
  }

private:
  /// One lane's part of a task below `end`; `sum_lanes` adds up what the lanes have, for the first of them.
  template <class Sum>
  KOKKOS_FUNCTION void sum_task(std::size_t task, std::size_t end, int lane,
                                const Sum& sum_lanes) const {
    T sum = 0;
    if (task < end) {
      const Row row = row_of(task);
      sum = lane_share<lanes>(lane, row.data, row.length, wide, Identity<T>{});
    }
    sum = sum_lanes(sum);
    if (lane == 0 && task < end) store(task, sum);
  }
  void on_host(std::size_t begin) const {
    const std::size_t end = std::min(begin + tasks_per_team, tasks);
    if (cut() || v.all < host_rows_at_once) { // one by one
      for (std::size_t task = begin; task < end; ++task) {
        const Row row = row_of(task);
        store(task, detail::host_sum(row.data, row.length, Identity<T>{}));
      }
      return;
    }
    average_block(v, begin, end, mean, mean_stride,
                  v.sets * v.length * sizeof(T) >= streamed_bytes);
  }
  /// A row or a piece of it, and which row.
  struct Row {
    std::size_t set, l;
    const T* data;
    std::size_t length;
  };
  /// Known at compile time to be false on a GPU unless a whole team takes a row, so that nothing divides.
  KOKKOS_FUNCTION bool cut() const {
    constexpr bool never = !team_a_task && !runs_on_host<Exec>;
    return !never && map.pieces > 1;
  }
  /// Divides only where it must: a division would delay the first load of every row.
  KOKKOS_FUNCTION Row row_of(std::size_t task) const {
    const std::size_t row = cut() ? unsigned(task) / unsigned(map.pieces) : task;
    const std::size_t set = v.set_of(row), l = row - set * v.length;
    if (!cut()) return {set, l, v.vector(set, l), v.count};
    const std::size_t start = Kokkos::min((task - row * map.pieces) * map.piece_length, v.count);
    return {set, l, v.vector(set, l) + start, Kokkos::min(map.piece_length, v.count - start)};
  }
  KOKKOS_FUNCTION void store(std::size_t task, T sum) const {
    if (cut()) {
      partial[task] = sum;
    } else {
      const Row row = row_of(task);
      mean[row.set * mean_stride + row.l] = sum / static_cast<T>(v.count);
    }
  }
};

/// Means from the sums of the pieces of rows.
template <class Exec, class T>
struct AveragePieces {
  static constexpr int threads = team_threads<Exec>, lanes = vector_lanes<Exec>;
  static constexpr int rows_per_team = threads / lanes;
  using Member = typename Teams<Exec>::member_type;

  VectorsRef<T> v;
  std::size_t pieces;
  const T* partial;
  T* mean;
  std::size_t mean_stride;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t first = std::size_t(team.league_rank()) * rows_per_team;
    const std::size_t rows = v.sets * v.length;
    const int thread = team.team_rank();
    T sum = 0;
    if (const std::size_t row = first + thread / lanes; row < rows)
      sum = thread_share<Exec, lanes>(thread % lanes, partial + row * pieces, pieces);
    sum = neighbours_sum<lanes>(team, sum, scratch_of<T, threads>(team));
    const std::size_t row = first + thread / lanes;
    if (thread % lanes != 0 || row >= rows) return;
    const std::size_t set = v.set_of(row);
    mean[set * mean_stride + row - set * v.length] = sum / static_cast<T>(v.count);
  }
};

/// Launches the kernels; asynchronous on `exec`. `partial`: average_workspace_bytes(sizeof(T)).
template <class Exec, class T>
void average_tuned(const Exec& exec, VectorsRef<T> v, T* mean, std::size_t mean_stride,
                   T* partial) {
  if (v.sets == 0 || v.length == 0) return;
  v = joined_sets(v, mean_stride);
  if constexpr (!runs_on_host<Exec>)
    if (const int packs = short_packs(v); packs != 0)
      return average_short_rows(exec, packs, v, mean);
  const std::size_t rows = v.sets * v.length;
  const RowMapping map = map_rows(runs_on_host<Exec>, v.all, v.count, sizeof(T));
  const auto sum_rows = [&](auto lanes, auto wide) {
    using Kernel = AverageTuned<Exec, T, lanes, wide>;
    const std::size_t tasks = rows * map.pieces,
                      per_team = Kernel::tasks_a_team(tasks, map.piece_length);
    const Kernel kernel{v, map, mean, mean_stride, partial, tasks, per_team};
    const char* label = "ado::average[tuned]";
    const std::size_t league = ceil_div(tasks, per_team);
    if constexpr (runs_on_host<Exec>)
      host_tasks(label, exec, league, kernel);
    else if constexpr (Kernel::needs_team)
      Kokkos::parallel_for(label, summing_teams<T, average_resident_teams>(exec, league), kernel);
    else
      Kokkos::parallel_for(label, threads<average_resident_teams>(exec, league * Kernel::threads),
                           kernel);
  };
  with_row_constants<Exec>(map.lanes, v.wide(), sum_rows);
  if (map.pieces == 1) return;
  using Join = AveragePieces<Exec, T>;
  Kokkos::parallel_for("ado::average::join[tuned]",
                       summing_teams<T>(exec, ceil_div(rows, Join::rows_per_team)),
                       Join{v, map.pieces, partial, mean, mean_stride});
}

} // namespace ado::detail
