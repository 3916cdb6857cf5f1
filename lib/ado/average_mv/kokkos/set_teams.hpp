// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rungs of average_mv that give whole sets to a team share: arrays, the ways to average
// and to multiply, launch.
#pragma once

#include <ado/average/call_vectors.hpp>
#include <ado/average_mv/set_means.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/team_size.hpp>
#include <ado/portable/variant.hpp>
#include <ado/portable/vector_sum.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace ado::bench {

template <class Exec, class T>
struct SetArrays {
  using Member = typename Teams<Exec>::member_type;
  template <class DataType>
  using View = RowMajor<Exec, DataType>;

  VectorsRef<T> v;
  View<const T**> a;
  View<T**> y;
  T* workspace;
  bool means_in_scratch;

  explicit SetArrays(const Call& call, std::size_t sums = 0)
      : v(vectors_of<T>(call)),
        a(view_of<Exec, const T**>(call, 1)),
        y(view_of<Exec, T**>(call, 2)),
        workspace(static_cast<T*>(call.workspace)),
        means_in_scratch(means_scratch_bytes(v.length, sizeof(T), sums) != 0) {}

  /// Where the team keeps the means of its set: in its scratch if they fit. To be called once.
  KOKKOS_FUNCTION T* means(const Member& team) const {
    if (means_in_scratch) return Scratch(team.team_scratch(0), v.length).data();
    return workspace + std::size_t(team.league_rank()) * v.length;
  }
  std::size_t scratch_bytes(int /*threads*/) const {
    return means_in_scratch ? Scratch::shmem_size(v.length) : 0;
  }

protected:
  using Scratch = Kokkos::View<T*, typename Exec::scratch_memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
};

/// The same for kernels that sweep: each thread, lanes count as threads, has a sum in scratch, too.
template <class Exec, class T>
struct SweepArrays : SetArrays<Exec, T> {
  using typename SetArrays<Exec, T>::Member;
  using typename SetArrays<Exec, T>::Scratch;

  explicit SweepArrays(const Call& call) : SetArrays<Exec, T>(call, most_set_threads) {}

  /// To be called once, after means().
  KOKKOS_FUNCTION T* sums(const Member& team, int threads) const {
    return Scratch(team.team_scratch(0), threads).data();
  }
  std::size_t scratch_bytes(int threads) const {
    return SetArrays<Exec, T>::scratch_bytes(threads) + Scratch::shmem_size(threads);
  }
};

/// The means of set n, each by one thread.
template <class Exec, class T>
KOKKOS_INLINE_FUNCTION void average_by_threads(const typename SetArrays<Exec, T>::Member& team,
                                               const SetArrays<Exec, T>& s, std::size_t n,
                                               T* mean) {
  const std::size_t count = s.v.count;
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, s.v.length), [&](std::size_t l) {
    const T* const vector = s.v.vector(n, l);
    T sum = 0;
    for (std::size_t m = 0; m < count; ++m)
      sum += vector[m];
    mean[l] = sum / static_cast<T>(count);
  });
}

/// The means of set n, each by the lanes of a thread, side by side in m.
template <class Exec, class T>
KOKKOS_INLINE_FUNCTION void average_by_lanes(const typename SetArrays<Exec, T>::Member& team,
                                             const SetArrays<Exec, T>& s, std::size_t n, T* mean) {
  const std::size_t count = s.v.count;
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, s.v.length), [&](std::size_t l) {
    const T* const vector = s.v.vector(n, l);
    const T sum = vector_sum<T>(team, count, [&](std::size_t m) { return vector[m]; });
    Kokkos::single(Kokkos::PerThread(team), [&] { mean[l] = sum / static_cast<T>(count); });
  });
}

/// Column n of y, each of its elements by one thread; lanes count as threads.
template <class Exec, class T>
KOKKOS_INLINE_FUNCTION void multiply_by_threads(const typename SetArrays<Exec, T>::Member& team,
                                                const SetArrays<Exec, T>& s, std::size_t n,
                                                const T* mean) {
  const std::size_t length = s.v.length;
  Kokkos::parallel_for(Kokkos::TeamVectorRange(team, length), [&](std::size_t i) {
    T sum = 0;
    for (std::size_t j = 0; j < length; ++j)
      sum += s.a(i, j) * mean[j];
    s.y(i, n) = sum;
  });
}

/// Column n of y, each of its elements by all `threads` of the team, lanes counted: side by side in
/// j each adds up its share of the row. Then the sums are added in a sweep, in which the first half
/// adds the second to its own, until one is left. On a host, where the team is one thread, that is
/// a plain sum.
template <class Exec, class T>
KOKKOS_INLINE_FUNCTION void multiply_by_sweep(const typename SetArrays<Exec, T>::Member& team,
                                              const SetArrays<Exec, T>& s, std::size_t n,
                                              const T* mean, T* sums, int threads) {
  const std::size_t length = s.v.length;
  // This lane's, asked for once: a range for each step is slower
  // (docs/lab/constants.md#average_mv).
  int thread = 0;
  Kokkos::parallel_for(Kokkos::TeamVectorRange(team, threads), [&](int own) { thread = own; });
  int all = 1; // a power of two, so that halves are whole
  while (all < threads)
    all *= 2;
  for (std::size_t i = 0; i < length; ++i) {
    team.team_barrier(); // the means are there, and thread 0 has read the sums of the row before
    T sum = 0;
    for (std::size_t j = thread; j < length; j += threads)
      sum += s.a(i, j) * mean[j];
    sums[thread] = sum;
    for (int half = all / 2; half > 0; half /= 2) {
      team.team_barrier();
      if (thread < half && thread + half < threads) sums[thread] += sums[thread + half];
    }
    if (thread == 0) s.y(i, n) = sums[0];
  }
}

/// Threads of a team that sweeps: what `launch` asks for, else one for each vector of a set; on a
/// host, one.
template <class Exec>
int sweep_threads(const Launch& launch, std::size_t length) {
  if (launch.team_size != 0) return launch.team_size;
  return runs_on_host<Exec> ? 1 : threads_for_length(length);
}

/// Launches `league` teams of Kernel, which is made of SetArrays; asynchronous on `exec`.
template <class Kernel, class Bounds = Kokkos::LaunchBounds<>, class Exec>
void launch_sets(std::string_view name, const Exec& exec, const Call& call, std::size_t league,
                 int lanes, int usual_threads) {
  const Kernel kernel{decltype(Kernel::s)(call)};
  const std::string label = "ado::average_mv[" + std::string(name) + "]";
  const int threads = call.launch.team_size == 0 ? usual_threads : call.launch.team_size;
  const int scratch_for =
      std::clamp(threads, 1, int(most_set_threads)); // what is out of range is refused
  const auto policy =
      teams_as_asked<Bounds>(exec, league, kernel, call.launch, lanes,
                             kernel.s.scratch_bytes(scratch_for), label.c_str(), usual_threads);
  if (league != 0) Kokkos::parallel_for(label, policy, kernel);
}

/// The same for a Kernel of SweepArrays. Teams are as large as a row, and two have to fit a
/// multiprocessor: five more registers leave room for one (docs/lab/constants.md#average_mv).
template <class Kernel, class Exec>
void launch_sweeps(std::string_view name, const Exec& exec, const Call& call, std::size_t league,
                   int lanes) {
  using TwoTeams = Kokkos::LaunchBounds<1024, 2>;
  launch_sets<Kernel, TwoTeams>(name, exec, call, league, lanes,
                                sweep_threads<Exec>({}, call.shape[1]));
}

} // namespace ado::bench
