// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over the threads of a team: of groups of neighbours, or of all. Neighbours shuffle where a
// GPU can, else they go through the team's scratch memory, in the same order. Kokkos' own nested
// reductions find out at run time how long the vector is, which lanes of a warp take part and how
// many warps there are, and use up to eleven barriers (docs/lab/constants.md#yax).
#pragma once

#include <ado/portable/lanes.hpp>
#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::detail {

/// Scratch that one sum over `threads` threads needs, in elements.
template <class Exec, int threads>
inline constexpr int sums_scratch = threads == 1         ? 0
                                    : has_shuffles<Exec> ? 32
                                                         : threads + threads / 4 + 32;

/// A policy of `league` teams of plain threads that have scratch for `count` such sums of T.
template <class T, int resident_teams = 0, class Exec>
Teams<Exec, resident_teams> summing_teams(const Exec& exec, std::size_t league, int count = 1) {
  auto policy = teams<resident_teams>(exec, league);
  constexpr int elements = sums_scratch<Exec, team_threads<Exec>>;
  if (elements > 0)
    policy.set_scratch_size(0, Kokkos::PerTeam(count * elements * int(sizeof(T)) + 16));
  return policy;
}

/// Start of that scratch. Whole teams must call it.
template <class T, int threads, class Team>
KOKKOS_FUNCTION T* scratch_of(const Team& team, int count = 1) {
  constexpr int elements = sums_scratch<typename Team::execution_space, threads>;
  if constexpr (elements == 0)
    return nullptr;
  else
    return static_cast<T*>(
        team.team_scratch(0).get_shmem_aligned(count * elements * sizeof(T), 16));
}

/// Sum of from[0], from[apart], ... below n, as a tree of neighbours.
template <int n, int apart = 1, class T>
KOKKOS_FUNCTION T tree_sum(const T* from) {
  if constexpr (n <= apart)
    return *from;
  else
    return tree_sum<n / 2, apart>(from) + tree_sum<n / 2, apart>(from + n / 2);
}

/// Sum over each `lanes` neighbours of a team, up to 32, of which every `apart`th counts. The first
/// of them gets it; what others get is unspecified. Whole teams must call it, and must not use the
/// same scratch again before a barrier. In scratch groups lie one element further apart, so that
/// threads that read them side by side cause no bank conflict.
template <int lanes, int apart = 1, class T, class Team>
KOKKOS_FUNCTION T neighbours_sum(const Team& team, T value, T* scratch) {
  if constexpr (lanes <= apart) {
    return value;
  } else if constexpr (has_shuffles<typename Team::execution_space>) {
    return shuffled_sum<lanes, apart>(value);
  } else {
    const int thread = team.team_rank();
    T* const mine = scratch + thread + thread / lanes;
    *mine = value;
    team.team_barrier();
    return thread % lanes == 0 ? tree_sum<lanes, apart>(mine) : T(0);
  }
}

/// Between two sums over neighbours that use the same scratch. Whole teams must call it.
template <class Team>
KOKKOS_FUNCTION void before_next_sum(const Team& team) {
  if constexpr (!runs_on_host<typename Team::execution_space> &&
                !has_shuffles<typename Team::execution_space>)
    team.team_barrier();
}

/// The sum over all `threads` threads of a team, of which every `apart`th counts; thread 0 gets it.
template <int threads, int apart = 1, class T, class Team>
KOKKOS_FUNCTION T team_sum(const Team& team, T value, T* scratch) {
  if constexpr (threads <= apart) {
    return value;
  } else {
    constexpr int lanes = 32, groups = threads / lanes;
    value = neighbours_sum<lanes, apart>(team, value, scratch + groups);
    const int thread = team.team_rank();
    if (thread % lanes == 0) scratch[thread / lanes] = value;
    team.team_barrier();
    return thread == 0 ? tree_sum<groups>(scratch) : T(0);
  }
}

/// Sum over the `lanes` threads that share a row, neighbours or the whole team; the first of them
/// gets it.
template <int lanes, int threads, class T, class Team>
KOKKOS_FUNCTION T row_sum(const Team& team, T value, T* scratch) {
  if constexpr (lanes < threads)
    return neighbours_sum<lanes>(team, value, scratch);
  else
    return team_sum<threads>(team, value, scratch);
}

} // namespace ado::detail
