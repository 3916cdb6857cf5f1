// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which team of a kernel ends last: it can go on with what all others left, so no second kernel has to.
#pragma once

#include <Kokkos_Core.hpp>

namespace ado::detail {

/// Bytes of scratch that is_last_team needs.
inline constexpr int last_team_scratch = 16;

/// Whether all other teams of this launch have come here before; all threads of the team get the answer, and the last
/// team sees what thread 0 of each team wrote before. `arrived` is 0 before the launch, and 0 again behind it. Whole
/// teams must call it, once. Cost: an atomic operation on one address and a fence a team; no floating-point atomics, so
/// sums have an order.
template <class Team>
KOKKOS_FUNCTION bool is_last_team(const Team& team, unsigned* arrived) {
  auto* const is_last = static_cast<int*>(team.team_scratch(0).get_shmem_aligned(sizeof(int), 16));
  if (team.team_rank() == 0) {
    Kokkos::memory_fence(); // what this team wrote is there before it arrives
    const auto before = Kokkos::atomic_fetch_add(arrived, 1u);
    *is_last = before + 1 == unsigned(team.league_size()) ? 1 : 0;
    if (*is_last != 0) *arrived = 0;
    Kokkos::memory_fence(); // what the others wrote is read after they arrived
  }
  team.team_barrier();
  return *is_last != 0;
}

} // namespace ado::detail
