// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpose on a GPU of rows that start anywhere, element by element. The compiler knows the tile's
// shape, so a tile that lies wholly in a is moved without conditions, at addresses that differ by
// constants.
#pragma once

#include <ado/portable/launch.hpp>
#include <ado/transpose/detail/plan.hpp>
#include <ado/transpose/detail/team_tile.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::detail::device_tile {

template <class Exec, class E, int rows, int columns, int team_size>
struct TransposeFixed {
  static constexpr int threads = team_size;
  using Member = typename Teams<Exec, 0, threads>::member_type;
  static constexpr int each = rows * columns / team_size; ///< elements of a thread
  static constexpr int pitch = rows + 1; ///< elements between columns of the tile in scratch
  static constexpr std::size_t scratch_bytes = std::size_t{pitch} * columns * sizeof(E);

  Matrices<E> m;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const Tile<E> at(m, team.league_rank(), rows, columns);
    const E* from = m.a + at.i * m.lda + at.j;
    E* to = m.b + at.j * m.ldb + at.i;
    if (at.height < rows || at.width < columns)
      edge(team, at.height, at.width, from, to);
    else
      whole(team, from, to);
  }

private:
  /// Call it when loads are in flight: they hide the time that Kokkos takes to find the scratch.
  static KOKKOS_FUNCTION E* scratch(const Member& team) {
    return static_cast<E*>(team.team_scratch(0).get_shmem(std::size_t{scratch_bytes}));
  }
  KOKKOS_FUNCTION void whole(const Member& team, const E* from, E* to) const {
    constexpr unsigned down = team_size / columns, along = team_size / rows;
    const auto thread = static_cast<unsigned>(team.team_rank());
    const unsigned i = thread / columns, j = thread % columns;
    E element[each]; // all loads in flight before the first store
    ADO_UNROLL
    for (unsigned k = 0; k < each; ++k)
      element[k] = from[(i + k * down) * m.lda + j];
    E* const tile = scratch(team);
    ADO_UNROLL
    for (unsigned k = 0; k < each; ++k)
      tile[j * pitch + i + k * down] = element[k];
    team.team_barrier();
    const unsigned out_j = thread / rows, out_i = thread % rows;
    ADO_UNROLL
    for (unsigned k = 0; k < each; ++k) {
      const unsigned column = out_j + k * along;
      to[column * m.ldb + out_i] = tile[column * pitch + out_i];
    }
  }

  /// A tile of which only height x width lie in a.
  KOKKOS_FUNCTION void edge(const Member& team, unsigned height, unsigned width, const E* from,
                            E* to) const {
    E* const tile = scratch(team);
    ADO_UNROLL_BY(1)
    for (int e = team.team_rank(); e < rows * columns; e += team_size) {
      const unsigned i = e / columns, j = e % columns;
      if (i < height && j < width) tile[j * pitch + i] = from[i * m.lda + j];
    }
    team.team_barrier();
    ADO_UNROLL_BY(1)
    for (int e = team.team_rank(); e < rows * columns; e += team_size) {
      const unsigned i = e % rows, j = e / rows;
      if (i < height && j < width) to[j * m.ldb + i] = tile[j * pitch + i];
    }
  }
};

} // namespace ado::detail::device_tile
