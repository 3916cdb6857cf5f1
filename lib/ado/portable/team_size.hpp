// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Team policies of the variants whose lesson is the team's size.
#pragma once

#include <ado/portable/launch.hpp>
#include <ado/registry/variant.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ado::bench {

/// Threads of a team, all lanes counted: what `launch` asks for, else the usual number.
template <class Exec>
int team_size(const Launch& launch) {
  return launch.team_size == 0 ? team_threads<Exec> : launch.team_size;
}

using RegistersFirst = Kokkos::LaunchBounds<1024, 1>;

/// A policy of `league` teams for `functor`. Each team has as many threads as `launch` asks for,
/// all lanes counted, else the usual number or as many as fit. Throws InvalidArgument, naming
/// `what`, if the number asked for does not fit or is no multiple of `lanes`.
///
/// Without Bounds, nvcc keeps the registers of a thread so few that a GPU can hold as many teams as
/// possible. RegistersFirst lets a thread take the registers that its loads in flight need.
template <class Bounds = Kokkos::LaunchBounds<>, class Exec, class Functor>
auto teams_as_asked(const Exec& exec, std::size_t league, const Functor& functor,
                    const Launch& launch, int lanes, std::size_t scratch_bytes, const char* what,
                    int usual = team_threads<Exec>) {
  const auto policy = [&](int threads) {
    using Policy = Kokkos::TeamPolicy<Exec, Bounds, Kokkos::IndexType<std::int64_t>>;
    return Policy(exec, league_size(league), threads / lanes, lanes)
        .set_scratch_size(0, Kokkos::PerTeam(scratch_bytes));
  };
  const int most = policy(lanes).team_size_max(functor, Kokkos::ParallelForTag()) * lanes;
  if (launch.team_size != 0) check_team_size(launch.team_size, lanes, most, what);
  auto asked = policy(launch.team_size == 0 ? std::min(usual, most) : launch.team_size);
  set_scratch(asked, 0, scratch_bytes);
  return asked;
}

} // namespace ado::bench
