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

namespace ado {

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

  explicit SetArrays(const Call& call)
      : v(vectors_of<T>(call)),
        a(view_of<Exec, const T**>(call, 1)),
        y(view_of<Exec, T**>(call, 2)),
        workspace(static_cast<T*>(call.workspace)),
        means_in_scratch(means_scratch_bytes(v.length, sizeof(T)) != 0) {}

  /// Where the team keeps the means of its set: in its scratch if they fit. To be called once.
  KOKKOS_FUNCTION T* means(const Member& team) const {
    using Scratch = Kokkos::View<T*, typename Exec::scratch_memory_space,
                                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    if (means_in_scratch) return Scratch(team.team_scratch(0), v.length).data();
    return workspace + std::size_t(team.league_rank()) * v.length;
  }
  std::size_t scratch_bytes() const {
    if (!means_in_scratch) return 0;
    return Kokkos::View<T*, typename Exec::scratch_memory_space>::shmem_size(v.length);
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

/// As many threads as a set has vectors, up to the most that a GPU's team can have; one on a host.
template <class Exec>
int threads_for(std::size_t vectors) {
  constexpr std::size_t warp = 32, most = 1024;
  return runs_on_host<Exec> ? 1 : static_cast<int>(std::clamp(round_up(vectors, warp), warp, most));
}

/// Launches `league` teams of Kernel, which is made of SetArrays; asynchronous on `exec`.
template <class Kernel, class Exec>
void launch_sets(std::string_view name, const Exec& exec, const Call& call, std::size_t league,
                 int lanes, int usual_threads) {
  const Kernel kernel{decltype(Kernel::s)(call)};
  const std::string label = "ado::average_mv[" + std::string(name) + "]";
  const auto policy = teams_as_asked(exec, league, kernel, call.launch, lanes,
                                     kernel.s.scratch_bytes(), label.c_str(), usual_threads);
  if (league != 0) Kokkos::parallel_for(label, policy, kernel);
}

} // namespace ado
