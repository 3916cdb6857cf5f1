// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of `several` and `read_only`, which differ in the Views that they give it. Their files
// have the cards.
#pragma once

#include <ado/portable/launch.hpp>
#include <ado/vector_add/kokkos/shares.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::bench {

/// Elements that a lane takes one after the other.
inline constexpr int vector_add_in_turn = 4;

template <class Exec, class A, class C>
struct VectorAddInTurn {
  A a, b;
  C c;
  std::size_t per_team;

  KOKKOS_FUNCTION void operator()(const typename Teams<Exec>::member_type& team) const {
    constexpr std::size_t lanes = team_threads<Exec>;
    VectorAddShare share = share_of(team, per_team, c.extent(0));
    for (; share.first + vector_add_in_turn * lanes <= share.last;
         share.first += vector_add_in_turn * lanes)
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, lanes), [&](std::size_t lane) {
        ADO_UNROLL
        for (int u = 0; u < vector_add_in_turn; ++u) {
          const std::size_t i = share.first + u * lanes + lane;
          c(i) = a(i) + b(i);
        }
      });
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, share.first, share.last),
                         [&](std::size_t i) { c(i) = a(i) + b(i); });
  }
};

template <class Exec, class A, class C>
void vector_add_by_turns(const char* label, const Exec& exec, const A& a, const A& b, const C& c,
                         int league_size) {
  const auto shares = vector_add_shares(label, exec, c.extent(0), vector_add_in_turn, league_size);
  Kokkos::parallel_for(label, shares.policy, VectorAddInTurn<Exec, A, C>{a, b, c, shares.per_team});
}

} // namespace ado::bench
