// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpose on a GPU of large matrices whose rows start anywhere, element by element. A row of b is written in pieces
// that begin on boundaries of memory sectors, wherever the row itself begins.
#pragma once

#include <ado/portable/launch.hpp>
#include <ado/transpose/detail/plan.hpp>
#include <ado/transpose/detail/team_tile.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace ado::detail::device_tile {

/// A team writes a piece of `rows` elements of each of `columns` rows of b. The piece begins up to `ahead` - 1 elements
/// before the tile, on a boundary.
template <class Exec, class E>
struct TransposeSectors {
  using Shape = SectorTile<E>;
  static constexpr int threads = Shape::threads;
  using Member = typename Teams<Exec, 0, threads>::member_type;
  static constexpr unsigned rows = Shape::rows, columns = Shape::columns, ahead = Shape::ahead,
                            pitch = Shape::pitch;
  static constexpr std::size_t scratch_bytes = std::size_t{pitch} * columns * sizeof(E);

  Matrices<E> m;

  /// As if rows of b were longer, because the last piece of a row may begin as much earlier.
  KOKKOS_FUNCTION Tile<E> tile(int rank) const {
    Matrices<E> longer = m;
    longer.rows += ahead - 1;
    return {longer, rank, rows, columns};
  }
  /// How many elements before `to` its piece begins.
  static KOKKOS_FUNCTION unsigned back(const E* to) {
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(to) / sizeof(E)) % ahead;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const Tile<E> at = tile(team.league_rank());
    if (at.i >= ahead && at.i + rows <= m.rows && at.width == columns)
      move<true>(team, at);
    else
      move<false>(team, at);
  }

private:
  template <bool whole>
  KOKKOS_FUNCTION void move(const Member& team, const Tile<E>& at) const {
    constexpr unsigned size = threads, in = Shape::high * columns, out = rows * columns;
    constexpr unsigned loads = (in + size - 1) / size, stores = (out + size - 1) / size;
    const auto thread = static_cast<unsigned>(team.team_rank());
    E element[loads]; // all in flight before the first is stored
    ADO_UNROLL
    for (unsigned k = 0; k < loads; ++k) {
      const unsigned e = k * size + thread, j = e % columns;
      const std::size_t i = at.i + e / columns; // `ahead` rows below the one meant
      if (in % size != 0 && e >= in) break;
      if (whole || (i >= ahead && i < m.rows + ahead && j < at.width))
        element[k] = m.a[(i - ahead) * m.lda + at.j + j];
    }
    auto* const tile = static_cast<E*>(team.team_scratch(0).get_shmem(std::size_t{scratch_bytes}));
    ADO_UNROLL
    for (unsigned k = 0; k < loads; ++k) {
      const unsigned e = k * size + thread;
      if (in % size != 0 && e >= in) break;
      tile[e % columns * pitch + e / columns] = element[k];
    }
    team.team_barrier();
    ADO_UNROLL
    for (unsigned k = 0; k < stores; ++k) {
      const unsigned e = k * size + thread, i = e % rows, j = e / rows;
      if (out % size != 0 && e >= out) break;
      E* const to = m.b + (at.j + j) * m.ldb + at.i;
      const unsigned before = back(to);
      if (whole || (at.i + i >= before && at.i + i < m.rows + before && j < at.width))
        to[std::ptrdiff_t(i) - std::ptrdiff_t(before)] = tile[j * pitch + ahead + i - before];
    }
  }
};

} // namespace ado::detail::device_tile
