// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, kokkos, team: mean[n][l] = (sum over m of v[n][l][m]) / M
//   mapping   league: groups of (n, l) vectors; thread: one vector of v; lanes: side by side in m
//             (device: 8 threads of 32 lanes; host: 1 thread, lanes are SIMD registers)
//   scratch   none
//   bytes     reads v once, writes mean once
//   needs     nothing; v aligned to 16 bytes with rows a multiple of 16 bytes apart reads widest
//   teaches   against `flat`: lanes that read neighbouring elements share their cache lines
//             (coalescing), and eight 16-byte loads under way hide the memory's latency
#pragma once

#include <ado/average/vectors.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/sum.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado {

template <class Exec, class T>
struct AverageTeam {
  using Member = typename Teams<Exec>::member_type;

  VectorsRef<T> v;
  T* mean;
  std::size_t mean_stride;
  std::size_t vectors_per_team;
  bool wide;

  /// Enough bytes a team to make its start cheap beside its work.
  static std::size_t vectors_a_team(std::size_t count) {
    if constexpr (!runs_on_host<Exec>) return team_threads<Exec> / vector_lanes<Exec>;
    constexpr std::size_t bytes_a_team = std::size_t{64} * 1024;
    return ceil_div(bytes_a_team, (count + 1) * sizeof(T));
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t first = std::size_t(team.league_rank()) * vectors_per_team;
    const std::size_t all = v.sets * v.length;
    const std::size_t count = all - first < vectors_per_team ? all - first : vectors_per_team;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](std::size_t k) {
      const std::size_t set = v.set_of(first + k), l = first + k - set * v.length;
      const T sum = vector_sum<T>(team, v.vector(set, l), v.count, wide, Identity<T>{});
      Kokkos::single(Kokkos::PerThread(team),
                     [&] { mean[set * mean_stride + l] = sum / static_cast<T>(v.count); });
    });
  }
};

/// Launches the kernel; asynchronous on `exec`.
template <class Exec, class T>
void average_team(const Exec& exec, VectorsRef<T> v, T* mean, std::size_t mean_stride) {
  if (v.sets == 0 || v.length == 0) return;
  if (v.set_stride == v.length * v.vector_stride && mean_stride == v.length) { // one long set
    v.length *= v.sets;
    v.sets = 1;
  }
  using Kernel = AverageTeam<Exec, T>;
  const std::size_t per_team = Kernel::vectors_a_team(v.count);
  Kokkos::parallel_for("ado::average[team]",
                       teams(exec, ceil_div(v.sets * v.length, per_team), vector_lanes<Exec>),
                       Kernel{v, mean, mean_stride, per_team, v.wide()});
}

/// Roundings on the longest path of average_team: the sum and one division.
template <class Exec, class T>
double average_team_steps(std::size_t count) {
  return vector_sum_steps<T, Exec>(count) + 1;
}

} // namespace ado
