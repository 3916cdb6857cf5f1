// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums over rows by a team, and the second stage of a deterministic sum: one team adds what the
// teams of the first stage left.
#pragma once

#include <ado/portable/launch.hpp>
#include <ado/portable/sum.hpp>
#include <ado/portable/team_sums.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace ado::detail {

/// Sum over i < rows of weight(i) * (the sum of share(i, lane) over the `lanes` of a team's
/// `threads` that share row i); thread 0 gets it. Takes the scratch of two sums, as late as
/// possible: Kokkos takes some time to find it, which loads in flight hide.
template <class T, int threads, int lanes, class Team, class Share, class Weight>
KOKKOS_FUNCTION T weighted_sum(const Team& team, std::size_t rows, const Share& share,
                               const Weight& weight) {
  using Exec = typename Team::execution_space;
  constexpr int groups = threads / lanes;
  constexpr bool through_scratch = lanes == threads || !has_shuffles<Exec>;
  T* scratch = through_scratch ? scratch_of<T, threads>(team, 2) : nullptr;
  const int thread = team.team_rank(), group = thread / lanes, lane = thread % lanes;
  T sum = 0;
  for (std::size_t first = 0; first < rows; first += groups) {
    const std::size_t i = first + group;
    const bool weighs = lane == 0 && i < rows;
    const T factor = weighs ? weight(i) : T(0); // early: its latency hides under the row
    T dot = 0;
    if (i < rows) dot = share(i, lane);
    if (lanes > 1 && first != 0 && through_scratch)
      team.team_barrier(); // the scratch has been read
    dot = row_sum<lanes, threads>(team, dot, scratch);
    if (weighs) sum += factor * dot;
  }
  if (!through_scratch) scratch = scratch_of<T, threads>(team, 2);
  return team_sum<threads, lanes>(team, sum, scratch + sums_scratch<Exec, threads>);
}

/// Threads of the one team of the second stage. A team that fills a multiprocessor reads many
/// numbers soonest; a smaller one starts sooner.
template <class Exec>
inline constexpr int most_finish_threads = runs_on_host<Exec> ? 1 : 1024;
template <class Exec>
int finish_threads(std::size_t numbers) {
  return numbers <= 8 * std::size_t{team_threads<Exec>} ? team_threads<Exec>
                                                        : most_finish_threads<Exec>;
}

/// Stands in for a team of one thread.
struct OneThread {
  using execution_space = Kokkos::DefaultHostExecutionSpace;
  static KOKKOS_FUNCTION int team_rank() { return 0; }
  static KOKKOS_FUNCTION void team_barrier() {}
};

/// Runs `kernel` by one team of `threads`; asynchronous on `exec`, unless launches wait anyway.
template <class T, int threads, class Exec, class Kernel>
void by_one_team(const char* label, const Exec& exec, const Kernel& kernel) {
  if constexpr (launches_wait<Exec>) {
    kernel(OneThread());
  } else {
    Teams<Exec, 1, threads> policy(exec, 1, threads);
    constexpr int elements = 2 * sums_scratch<Exec, threads>;
    if (elements > 0) policy.set_scratch_size(0, Kokkos::PerTeam(elements * int(sizeof(T)) + 16));
    Kokkos::parallel_for(label, policy, kernel);
  }
}

/// Adds up the partial sums in an order that depends only on their number.
template <class Exec, class T, int threads>
struct YaxFinish {
  const T* partial;
  std::size_t count;
  T* result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const T mine = thread_share<Exec, threads>(team.team_rank(), partial, count);
    const T sum = team_sum<threads>(team, mine, scratch_of<T, threads>(team));
    if (team.team_rank() == 0) *result = sum;
  }
};

/// *result = sum of partial[0 .. count); 0 where there are none.
template <class Exec, class T>
void yax_finish(const char* label, const Exec& exec, const T* partial, std::size_t count,
                T* result) {
  with_constant<team_threads<Exec>, most_finish_threads<Exec>>(
      finish_threads<Exec>(count), [&](auto threads) {
        by_one_team<T, threads>(label, exec, YaxFinish<Exec, T, threads>{partial, count, result});
      });
}

} // namespace ado::detail
