// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over the threads of a team through its scratch memory: of groups of neighbouring threads, or of
// all. Kokkos' own nested reductions find out at run time how long the vector is, which lanes of a warp
// take part and how many warps there are, and use up to eleven barriers. H200, tiles of yax 256 x 256
// f32, instructions per scheduler: 1062 with them, 682 with these sums, 372 by hand.
#pragma once

#include <ado/portable/host_sums.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/sum.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace ado::detail {

/// Scratch that the sums of `threads` threads need, in elements.
template <int threads>
inline constexpr int sums_scratch = threads == 1 ? 0 : threads + threads / 4;

/// A policy of `league` teams of plain threads that have scratch for `count` such sums of T, and `bytes` for other things.
template <class T, int resident_teams = 0, class Exec>
Teams<Exec, resident_teams> summing_teams(const Exec& exec, std::size_t league, int count = 1,
                                          int bytes = 0) {
  auto policy = teams<resident_teams>(exec, league);
  constexpr int elements = sums_scratch<team_threads<Exec>>;
  if (elements > 0)
    policy.set_scratch_size(0, Kokkos::PerTeam(count * elements * int(sizeof(T)) + 16 + bytes));
  return policy;
}

/// Start of that scratch. Whole teams must call it.
template <class T, int threads, class Team>
KOKKOS_FUNCTION T* scratch_of(const Team& team, int count = 1) {
  if constexpr (threads == 1)
    return nullptr;
  else
    return static_cast<T*>(
        team.team_scratch(0).get_shmem_aligned(count * sums_scratch<threads> * sizeof(T), 16));
}

/// One thread's part of the sum over j < n of term(row[j], j), where `lanes` threads of a device share
/// it. `term` also takes a whole Pack and the index of its first element. It is called that way if
/// `wide`, which says that `row`, and whatever else the term reads, is aligned to packs. n: below 2^32
/// unless a whole team shares the row.
template <int lanes, class T, class Term>
KOKKOS_FUNCTION T lane_share(int lane, const T* row, std::size_t n, bool wide, const Term& term) {
  using Index = std::conditional_t<(lanes < device_team_threads), unsigned, std::size_t>;
  return detail::lane_sum<lanes>(unsigned(lane), row, static_cast<Index>(n), wide, term);
}

/// One thread's part of the sum of a few numbers that an earlier kernel left; `threads` threads share
/// them. lane_share has more code than so few numbers are worth. H200, 16 numbers, 1024 threads: 2.8 us
/// with lane_share, 2.65 with this.
template <class Exec, int threads, class T>
KOKKOS_FUNCTION T thread_share(int thread, const T* numbers, std::size_t count) {
  T sum = 0;
  if constexpr (runs_on_host<Exec>) {
    KOKKOS_IF_ON_HOST((sum = detail::host_sum(numbers, count, Identity<T>{});))
  } else {
    ADO_UNROLL_BY(4)
    for (auto k = static_cast<unsigned>(thread); k < static_cast<unsigned>(count); k += threads)
      sum += numbers[k];
  }
  return sum;
}

template <int n, class T>
KOKKOS_FUNCTION T tree_sum(const T* from) {
  if constexpr (n == 1)
    return *from;
  else
    return tree_sum<n / 2>(from) + tree_sum<n / 2>(from + n / 2);
}

/// Sums over each group of `lanes` neighbours among the first `threads` threads; thread g gets the sum of
/// group g. Groups lie one element further apart, so that threads that read them side by side cause no
/// bank conflict.
template <int lanes, int threads, class T, class Team>
KOKKOS_FUNCTION T sum_neighbours(const Team& team, T value, T* scratch) {
  if constexpr (lanes == 1) {
    return value;
  } else {
    static_assert(threads / lanes * (lanes + 1) <= sums_scratch<threads>);
    const int thread = team.team_rank();
    if (thread < threads) scratch[thread + thread / lanes] = value;
    team.team_barrier();
    return thread < threads / lanes ? tree_sum<lanes>(scratch + thread * (lanes + 1)) : T(0);
  }
}

/// Sums of `value` over groups of `lanes` neighbours among the first `threads` threads of a team. Thread
/// g gets the sum of group g; what other threads get is unspecified. Whole teams must call it, and must
/// not use the same scratch again before a barrier.
template <int lanes, int threads, class T, class Team>
KOKKOS_FUNCTION T group_sum(const Team& team, T value, T* scratch) {
  if constexpr (lanes <= 32) {
    return detail::sum_neighbours<lanes, threads>(team, value, scratch);
  } else {
    static_assert(lanes == threads);
    constexpr int inner = threads > 256 ? 32 : 16, outer = threads / inner;
    value = detail::sum_neighbours<inner, threads>(team, value, scratch);
    return detail::sum_neighbours<outer, outer>(team, value, scratch + outer * (inner + 1));
  }
}

/// Calls f with `lanes` and `wide` as compile-time constants (std::integral_constant); on a host always
/// with one lane and not wide.
template <class Exec, class F>
void with_row_constants(int lanes, bool wide, F&& f) {
  if constexpr (runs_on_host<Exec>) {
    f(std::integral_constant<int, 1>(), std::false_type());
  } else {
    const auto choose = [&](auto is_wide) {
      with_constant<1, 4, 16, device_vector_lanes, device_team_threads>(
          lanes, [&](auto constant) { f(constant, is_wide); });
    };
    wide ? choose(std::true_type()) : choose(std::false_type());
  }
}

} // namespace ado::detail
