// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of `team`, which ado::transpose calls. Its card: kokkos/team.cpp.
#pragma once

#include <ado/portable/launch.hpp>
#include <ado/transpose/detail/device.hpp>
#include <ado/transpose/detail/host.hpp>
#include <ado/transpose/detail/plan.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::detail {

/// On a host a team is one thread and takes a strip of tiles.
template <class Exec, class E>
struct TransposeTeam {
  Matrices<E> m;
  std::size_t threads; ///< of a host

  void operator()(const typename Teams<Exec>::member_type& team) const {
    void* buffer =
        team.team_scratch(0).get_shmem_aligned(std::size_t{host_tile::buffer_bytes<E>}, 64);
    host_tile::transpose_strip(m, team.league_rank(), buffer, threads);
  }
};

/// Launches the kernel; asynchronous on `exec`.
template <class Exec, class E>
void transpose_team(const Exec& exec, std::size_t rows, std::size_t columns, const E* a,
                    std::size_t lda, E* b, std::size_t ldb) {
  if (rows == 0 || columns == 0) return;
  const Matrices<E> m{rows, columns, a, lda, b, ldb};
  if constexpr (runs_on_host<Exec>) {
    const auto threads = static_cast<std::size_t>(exec.concurrency());
    auto policy = teams(exec, host_tile::strip_count(m, threads));
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(host_tile::buffer_bytes<E> + 64)));
    Kokkos::parallel_for("ado::transpose[team]", policy, TransposeTeam<Exec, E>{m, threads});
  } else {
    device_tile::transpose(exec, m);
  }
}

} // namespace ado::detail
