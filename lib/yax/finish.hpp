// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second stage of a deterministic sum: one team adds what the teams of the first stage left.
#pragma once

#include <ado/portable/launch.hpp>
#include <ado/portable/sum.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado {

/// In an order that the number of partial sums alone decides.
template <class Exec, class T>
struct YaxFinish {
  using Member = typename Teams<Exec>::member_type;

  const T* partial;
  std::size_t count;
  T* result;
  bool wide;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const T sum = team_sum<T>(team, partial, count, wide, Identity<T>{});
    Kokkos::single(Kokkos::PerTeam(team), [&] { *result = sum; });
  }
};

/// *result = sum of partial[0 .. count); 0 where there are none. Its additions: team_sum_steps.
template <class Exec, class T>
void yax_finish(const char* label, const Exec& exec, const T* partial, std::size_t count,
                T* result) {
  Kokkos::parallel_for(label, teams(exec, 1, vector_lanes<Exec>),
                       YaxFinish<Exec, T>{partial, count, result, aligned_to_pack(partial)});
}

} // namespace ado
