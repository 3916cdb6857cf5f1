// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which team of a kernel ends last: it can go on with the results of all others, so no second
// kernel has to.
#pragma once

#include <Kokkos_Core.hpp>

namespace ado::detail {

/// last = whether all other teams of this launch have come here before; one thread of each team
/// asks, once. That of the last sees what those of the others wrote before. `arrived` is 0 before
/// the launch, and 0 again behind it. Cost: an atomic operation on one address and two fences; no
/// floating-point atomics, so sums have an order.
KOKKOS_INLINE_FUNCTION void arrive(unsigned* arrived, int teams, int& last) {
  Kokkos::store_fence(); // what this team wrote is there before it arrives
  last = Kokkos::atomic_fetch_add(arrived, 1u) + 1 == unsigned(teams);
  if (last != 0) *arrived = 0;
  Kokkos::load_fence(); // what the others wrote is read after they arrived
}

/// The same of whole teams, which must call it; all threads get the answer. Through scratch, of
/// which it takes 16 bytes where there are several: Kokkos' broadcast needs more registers
/// (docs/lab/constants.md#yax).
template <int threads, class Team>
KOKKOS_FUNCTION bool is_last_team(const Team& team, unsigned* arrived) {
  if constexpr (threads == 1) {
    int is_last = 0;
    arrive(arrived, team.league_size(), is_last);
    return is_last != 0;
  } else {
    auto* const is_last =
        static_cast<int*>(team.team_scratch(0).get_shmem_aligned(sizeof(int), 16));
    if (team.team_rank() == 0) arrive(arrived, team.league_size(), *is_last);
    team.team_barrier();
    return *is_last != 0;
  }
}

} // namespace ado::detail
