// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum that the vector lanes of one thread share.
#pragma once

#include <ado/portable/launch.hpp>
#include <ado/registry/types.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::bench {

/// Adds to `part` what one of `lanes` lanes has of term(k), k < count: lane r takes r, r + lanes,
/// ... The stride is one that the compiler knows, and four terms go at a time, so that their loads
/// are in flight together. nvcc does that by itself for the loop of a hand-written kernel, but not
/// inside Kokkos' loops over threads and teams. `part` is Kokkos' own sum: a second one beside it
/// took the registers that the loads need (average_mv's vector_mv waited for each pair of them).
template <class T, std::size_t lanes, class Term>
KOKKOS_INLINE_FUNCTION void add_lane_terms(int lane, std::size_t count, const Term& term, T& part) {
  std::size_t k = lane;
  for (; k + 3 * lanes < count; k += 4 * lanes) {
    ADO_UNROLL
    for (std::size_t u = 0; u < 4; ++u)
      part += term(k + u * lanes);
  }
  for (; k < count; k += lanes)
    part += term(k);
}

/// Sum of term(k) for k < count, by the lanes of a thread. On a GPU the loop of a lane is written
/// out: ThreadVectorRange(team, count), whose stride is blockDim.x, waits for each load.
template <class T, class Member, class Term>
KOKKOS_INLINE_FUNCTION T vector_sum(const Member& team, std::size_t count, const Term& term) {
  using Exec = typename Member::execution_space;
  T sum = 0;
  if constexpr (runs_on_host<Exec>) {
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, count), [&](std::size_t k, T& part) { part += term(k); },
        sum);
  } else {
    constexpr std::size_t lanes = vector_lanes<Exec>;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, lanes),
        [&](int lane, T& part) { add_lane_terms<T, lanes>(lane, count, term, part); }, sum);
  }
  return sum;
}

} // namespace ado::bench
