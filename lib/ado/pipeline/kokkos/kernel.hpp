// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of all rungs: the results of one chunk.
//   mapping   device: lane = a result, whose 16 elements it reads side by side, 16 bytes at a time;
//             team = as many results as it has threads. Host: team = 64 results, lane = an element
//   scratch   none
#pragma once

#include <ado/core/checks.hpp>
#include <ado/pipeline/chunks.hpp>
#include <ado/pipeline/host_results.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/pack.hpp>
#include <ado/portable/team_size.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ado::bench {

template <class Exec, class T>
struct PipelineKernel {
  using Member = typename Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<>,
                                             Kokkos::IndexType<std::int64_t>>::member_type;
  static constexpr int group = pipeline_group;

  const T* prepared; ///< on a boundary of 16 bytes
  T* results;
  std::size_t elements, work, count, per_team; ///< count: of results
  T factor;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t first = std::size_t(team.league_rank()) * per_team;
    const std::size_t last = first + per_team < count ? first + per_team : count;
    KOKKOS_IF_ON_HOST((on_host(team, first, last);))
    KOKKOS_IF_ON_DEVICE((for (std::size_t j = first + team.team_rank(); j < last;
                              j += team.team_size()) results[j] = on_device(j);))
  }

private:
  /// A contiguous share of the team's results for each of its threads.
  void on_host(const Member& team, std::size_t first, std::size_t last) const {
    const auto rank = static_cast<std::size_t>(team.team_rank()),
               size = static_cast<std::size_t>(team.team_size());
    const std::size_t share = ceil_div(last - first, size);
    host_pipeline::results(prepared, elements, work, factor, results,
                           std::min(first + rank * share, last),
                           std::min(first + (rank + 1) * share, last));
  }

  KOKKOS_FUNCTION T on_device(std::size_t j) const {
    constexpr int packs = group / Pack<T>::size;
    const T* const from = prepared + j * group;
    T p[group], r[group];
    if ((j + 1) * group <= elements) {
      ADO_UNROLL
      for (int k = 0; k < packs; ++k) {
        const Pack<T> pack = reinterpret_cast<const Pack<T>*>(from)[k];
        ADO_UNROLL
        for (int l = 0; l < Pack<T>::size; ++l)
          p[k * Pack<T>::size + l] = pack.lane[l];
      }
    } else {
      ADO_UNROLL
      for (int k = 0; k < group; ++k)
        p[k] = j * group + k < elements ? from[k] : T(0);
    }
    ADO_UNROLL
    for (int k = 0; k < group; ++k)
      r[k] = p[k];
    ADO_UNROLL_BY(4)
    for (std::size_t step = 0; step < work; ++step) {
      ADO_UNROLL
      for (int k = 0; k < group; ++k)
        r[k] = r[k] * factor + p[k];
    }
    ADO_UNROLL
    for (int half = group / 2; half > 0; half /= 2) {
      ADO_UNROLL
      for (int k = 0; k < half; ++k)
        r[k] += r[k + half];
    }
    return r[0];
  }
};

/// Results of a team on a host.
inline constexpr std::size_t pipeline_host_results = 64;

/// Teams of `exec` as `launch` asks for. Throws InvalidArgument, naming `label`, where none fits.
template <class Exec, class T>
auto pipeline_teams(const char* label, const Exec& exec, const Launch& launch, std::size_t league,
                    const PipelineKernel<Exec, T>& kernel) {
  return teams_as_asked(exec, league, kernel, launch, 1, 0, label);
}

/// Launches it, asynchronously on `exec`. Throws as pipeline_teams does.
template <class Exec, class T>
void launch_results(const char* label, const Exec& exec, const Launch& launch,
                    const PipelineChunks<T>& stream, const T* prepared, T* results) {
  if (stream.results == 0) return;
  const std::size_t per_team =
      runs_on_host<Exec> ? pipeline_host_results : std::size_t(team_size<Exec>(launch));
  const PipelineKernel<Exec, T> kernel{prepared,       results,  stream.elements, stream.work,
                                       stream.results, per_team, stream.factor};
  Kokkos::parallel_for(
      label, pipeline_teams(label, exec, launch, ceil_div(stream.results, per_team), kernel),
      kernel);
}

} // namespace ado::bench
