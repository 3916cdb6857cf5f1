// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, kokkos, team: b[j][i] = a[i][j]
//   mapping   league: tiles of a in the order of b. device: 256 threads, lanes side by side along
//             rows of a when reading and along rows of b when writing. host: one thread, which
//             turns blocks in SIMD registers (host_tile.hpp)
//   scratch   one tile; on a device one element of padding a row
//   bytes     reads a once, writes b once
//   needs     nothing
//   teaches   against `flat`: through scratch both the reads and the writes are whole cache lines
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/elements.hpp>
#include <ado/portable/launch.hpp>
#include <ado/transpose/host_tile.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado {

template <class Exec, class E>
struct TransposeTeam {
  using Member = typename Teams<Exec>::member_type;
  /// Side of a device tile: 64 elements of up to 4 bytes are whole cache lines, larger ones need no
  /// more than 32, and all fit the 48 KiB of scratch that every team may have.
  static constexpr int side = sizeof(E) <= 4 ? 64 : 32;
  static constexpr int stride = side + 1;
  static constexpr std::size_t scratch_bytes =
      runs_on_host<Exec> ? host_tile::buffer_bytes<E> : std::size_t{side} * stride * sizeof(E);

  host_tile::Matrices<E> m;
  std::size_t row_tiles;
  bool stream;

  static std::size_t league_size(const host_tile::Matrices<E>& m) {
    if constexpr (runs_on_host<Exec>) return host_tile::strip_count(m);
    return ceil_div(m.rows, side) * ceil_div(m.columns, side);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* tile =
        static_cast<E*>(team.team_scratch(0).get_shmem_aligned(std::size_t{scratch_bytes}, 64));
    KOKKOS_IF_ON_HOST((host_tile::transpose_strip(m, team.league_rank(), tile, stream);))
    KOKKOS_IF_ON_DEVICE((device_tile(team, tile);))
  }

  KOKKOS_FUNCTION void device_tile(const Member& team, E* tile) const {
    constexpr int lanes = side < 32 ? side : 32;
    constexpr int rows_at_once = team_threads<Exec> / lanes;
    const std::size_t i0 = team.league_rank() % row_tiles * side;
    const std::size_t j0 = team.league_rank() / row_tiles * side;
    const int lane = team.team_rank() % lanes, row = team.team_rank() / lanes;
    ADO_UNROLL
    for (int r = row; r < side; r += rows_at_once)
      ADO_UNROLL
    for (int c = lane; c < side; c += lanes)
      if (i0 + r < m.rows && j0 + c < m.columns)
        tile[c * stride + r] = m.a[(i0 + r) * m.lda + j0 + c];
    team.team_barrier();
    ADO_UNROLL
    for (int c = row; c < side; c += rows_at_once)
      ADO_UNROLL
    for (int r = lane; r < side; r += lanes)
      if (i0 + r < m.rows && j0 + c < m.columns)
        m.b[(j0 + c) * m.ldb + i0 + r] = tile[c * stride + r];
  }
};

/// Launches the kernel; asynchronous on `exec`.
template <class Exec, class E>
void transpose_team(const Exec& exec, std::size_t rows, std::size_t columns, const E* a,
                    std::size_t lda, E* b, std::size_t ldb) {
  if (rows == 0 || columns == 0) return;
  using Kernel = TransposeTeam<Exec, E>;
  const host_tile::Matrices<E> m{rows, columns, a, lda, b, ldb};
  auto policy = teams(exec, Kernel::league_size(m));
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes + 64)));
  Kokkos::parallel_for("ado::transpose[team]", policy,
                       Kernel{m, ceil_div(rows, Kernel::side), host_tile::may_stream(m)});
}

} // namespace ado
