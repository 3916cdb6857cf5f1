// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second stage of a deterministic sum: one team adds what the teams of the first stage left.
#pragma once

#include <ado/portable/launch.hpp>
#include <ado/portable/sum.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado {

/// In an order that the number of partial sums alone decides.
template <class Exec, class T, bool by_team>
struct YaxFinish {
  const T* partial;
  std::size_t count;
  T* result;

  KOKKOS_FUNCTION void operator()(const typename Teams<Exec>::member_type& team) const {
    T sum = 0;
    if constexpr (by_team)
      sum = team_sum<T>(team, partial, count, true, Identity<T>{});
    else
      sum = vector_sum<T>(team, partial, count, true, Identity<T>{});
    Kokkos::single(Kokkos::PerTeam(team), [&] { *result = sum; });
  }
};

/// Whether a team adds so many, or one thread with its lanes: that has no barriers to wait at, and
/// asks for these in two rounds.
inline bool yax_finish_takes_a_team(std::size_t count) { return count > 1024; }

/// *result = sum of partial[0 .. count), which is aligned to packs; 0 where there are none.
template <class Exec, class T>
void yax_finish(const char* label, const Exec& exec, const T* partial, std::size_t count,
                T* result) {
  if (yax_finish_takes_a_team(count))
    Kokkos::parallel_for(label, teams(exec, 1, vector_lanes<Exec>),
                         YaxFinish<Exec, T, true>{partial, count, result});
  else
    Kokkos::parallel_for(label, Teams<Exec>(exec, 1, 1, vector_lanes<Exec>),
                         YaxFinish<Exec, T, false>{partial, count, result});
}

/// Its additions on the longest path.
template <class T, class Exec>
double yax_finish_steps(std::size_t count) {
  return yax_finish_takes_a_team(count) ? team_sum_steps<T, Exec>(count)
                                        : vector_sum_steps<T, Exec>(count);
}

} // namespace ado
