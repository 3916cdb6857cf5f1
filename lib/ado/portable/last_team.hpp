// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which team of a kernel ends last: it can go on with what all others left, so no second kernel has to.
#pragma once

#include <Kokkos_Core.hpp>

namespace ado::detail {

/// Whether all other teams of this launch have come here before; all threads of the team get the answer, and the last
/// team sees what thread 0 of each team wrote before. `arrived` is 0 before the launch, and 0 again behind it. Whole
/// teams must call it, once. Cost: an atomic operation on one address and a fence a team; no floating-point atomics, so
/// sums have an order.
template <class Team>
KOKKOS_FUNCTION bool is_last_team(const Team& team, unsigned* arrived) {
  int is_last = 0;
  Kokkos::single(
      Kokkos::PerTeam(team),
      [&](int& last) {
        Kokkos::store_fence(); // what this team wrote is there before it arrives
        last = Kokkos::atomic_fetch_add(arrived, 1u) + 1 == unsigned(team.league_size());
        if (last != 0) *arrived = 0;
        Kokkos::load_fence(); // what the others wrote is read after they arrived
      },
      is_last);
  return is_last != 0;
}

} // namespace ado::detail
