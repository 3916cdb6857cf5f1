// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the rungs of vector_add cut their work: a contiguous share a team, its lanes side by side in
// it.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>
#include <ado/registry/types.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::bench {

/// No launch asks for more teams: with 2^32 elements, this many have one element per lane.
inline constexpr int vector_add_most_teams = 1 << 24;

/// A launch, and what each of its teams takes.
template <class Exec>
struct VectorAddShares {
  Teams<Exec> policy;
  std::size_t per_team;
};

/// Shares of `count` units of whatever kind. `asked` teams; with 0, as many as give a lane
/// `per_lane` units on a device, and one team per core on a host. Throws InvalidArgument if they
/// are too many.
template <class Exec>
VectorAddShares<Exec> vector_add_shares(const char* label, const Exec& exec, std::size_t count,
                                        std::size_t per_lane, int asked) {
  const std::size_t one_shot = ceil_div(count, team_threads<Exec> * per_lane);
  const auto usual =
      runs_on_host<Exec>
          ? exec.concurrency()
          : static_cast<int>(std::clamp<std::size_t>(one_shot, 1, vector_add_most_teams));
  const std::size_t league = checked_league_size(asked, usual, vector_add_most_teams, label);
  // Whole rounds: a share of another length would start in the middle of a cache line.
  const std::size_t round = (runs_on_host<Exec> ? 32 : team_threads<Exec>)*per_lane;
  return {teams(exec, league), round_up(ceil_div(count, league), round)};
}

struct VectorAddShare {
  std::size_t first, last;
};
/// The share of the calling team.
template <class Member>
KOKKOS_INLINE_FUNCTION VectorAddShare share_of(const Member& team, std::size_t per_team,
                                               std::size_t count) {
  const std::size_t first = Kokkos::min(std::size_t(team.league_rank()) * per_team, count);
  return {first, Kokkos::min(first + per_team, count)};
}

} // namespace ado::bench
