// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch looks like on an execution space.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/row_plan.hpp>
#include <ado/host/simd.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <string>

/// Unrolls the loop that follows where a device compiler does not do so by itself.
/// ADO_UNROLL_BY(n) makes n copies of its body.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define ADO_PRAGMA(text) _Pragma(#text)
#define ADO_UNROLL ADO_PRAGMA(unroll)
#define ADO_UNROLL_BY(n) ADO_PRAGMA(unroll n)
#else
#define ADO_UNROLL
#define ADO_UNROLL_BY(n)
#endif

namespace ado::detail {

/// Whether kernels of this space run on host threads, where a team is one thread and the vector is
/// a SIMD register, rather than on a GPU, where both are hardware threads.
template <class Exec>
inline constexpr bool runs_on_host =
    Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible&&
        Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;

/// Whether a kernel of this space has ended when its launch returns. Then one thread can go on
/// without another kernel, which is faster (docs/lab/constants.md#shared).
template <class Exec>
inline constexpr bool launches_wait = false;
#ifdef KOKKOS_ENABLE_SERIAL
template <>
inline constexpr bool launches_wait<Kokkos::Serial> = true;
#endif
#ifdef KOKKOS_ENABLE_OPENMP
template <>
inline constexpr bool launches_wait<Kokkos::OpenMP> = true;
#endif

/// Threads of a team, all lanes counted. On a host, several threads would share one core's cache.
template <class Exec>
inline constexpr int team_threads = runs_on_host<Exec> ? 1 : device_team_threads;

/// Lanes of ThreadVectorRange: a warp's on a GPU, one on a host.
template <class Exec>
inline constexpr int vector_lanes = runs_on_host<Exec> ? 1 : device_vector_lanes;

/// Team policy of ado's kernels. LaunchBounds tells the compiler the team size, so that Kokkos
/// never finds the team too large. It also says that a multiprocessor must hold `resident_teams` at
/// once, which bounds the registers of a thread. 0 leaves the registers to the compiler; 1 would
/// let it take all, so that few teams fit (docs/lab/constants.md#transpose).
template <class Exec, int resident_teams = 0, int threads = team_threads<Exec>>
using Teams = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads, resident_teams>,
                                 Kokkos::IndexType<std::int64_t>>;

/// Threads of `exec`, a host's instance. Not exec.concurrency(): in a Kokkos with deprecated code
/// that is a static function. It answers for its default argument, a default instance made on the
/// heap.
template <class Exec>
std::size_t threads_of(const Exec& exec) {
  if constexpr (requires { Exec::concurrency(exec); })
    return static_cast<std::size_t>(Exec::concurrency(exec));
  else
    return static_cast<std::size_t>(exec.concurrency());
}

/// Policy of kernels that need no team. They start sooner than teams
/// (docs/lab/constants.md#shared): their parameters are fewer, and no code in front of theirs looks
/// for scratch. Neighbouring indices are neighbouring lanes.
template <class Exec, int resident_blocks = 0>
using Threads =
    Kokkos::RangePolicy<Exec, Kokkos::LaunchBounds<device_team_threads, resident_blocks>,
                        Kokkos::IndexType<std::int64_t>>;

/// A policy of `count` threads. On a host each gets a chunk: to choose one, Kokkos would make an
/// instance, see threads_of().
template <int resident_blocks = 0, class Exec>
Threads<Exec, resident_blocks> threads(const Exec& exec, std::size_t count) {
  using Policy = Threads<Exec, resident_blocks>;
  const auto end = static_cast<std::int64_t>(count);
  if constexpr (runs_on_host<Exec>) {
    const std::size_t chunk =
        std::clamp<std::size_t>(ceil_div(count, threads_of(exec)), 1, INT_MAX);
    return Policy(exec, 0, end, Kokkos::ChunkSize(static_cast<int>(chunk)));
  } else {
    return Policy(exec, 0, end);
  }
}

/// Kokkos keeps league sizes in int; throws InvalidArgument where that does not hold `league`.
inline int league_size(std::size_t league) {
  if (league > INT_MAX)
    throw InvalidArgument("ado: " + std::to_string(league) + " teams are more than a launch holds");
  return static_cast<int>(league);
}

/// A policy of `league` teams whose threads have `lanes` vector lanes.
template <int resident_teams = 0, class Exec>
Teams<Exec, resident_teams> teams(const Exec& exec, std::size_t league, int lanes = 1) {
  return Teams<Exec, resident_teams>(exec, league_size(league), team_threads<Exec> / lanes, lanes);
}

/// Gives each team of `policy` `bytes` of scratch; throws InvalidArgument where a host has less.
/// Kokkos 5 throws there, earlier ones let it pass.
template <class Policy>
void set_scratch(Policy& policy, int level, std::size_t bytes) {
  if constexpr (runs_on_host<typename Policy::execution_space>)
    if (const int most = policy.scratch_size_max(level); bytes > static_cast<std::size_t>(most))
      throw InvalidArgument("ado: " + std::to_string(bytes) + " bytes of scratch of level " +
                            std::to_string(level) + " are more than " + std::to_string(most));
  policy.set_scratch_size(level, Kokkos::PerTeam(static_cast<int>(bytes)));
}

/// `bytes` of a team's scratch from a boundary of 16 bytes on; its policy asks for 16 more. Not
/// Kokkos' get_shmem_aligned(), which chooses one of two addresses: after it nvcc 13.0 took the
/// scratch of wide transposes for any memory, so that reads of it waited for stores to b.
template <class Team>
KOKKOS_FUNCTION void* aligned_scratch(const Team& team, std::size_t bytes) {
  auto* const any = static_cast<char*>(team.team_scratch(0).get_shmem(bytes + 15));
  return any + (-reinterpret_cast<std::uintptr_t>(any) & 15);
}

} // namespace ado::detail
