// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of a transpose a team has.
#pragma once

#include <ado/transpose/detail/plan.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::detail::device_tile {

/// A team's tile: its corner in a, and how much of it lies in a. Tiles lie in the order of b:
/// neighbouring teams write neighbouring pieces of the same rows of b.
template <class E>
struct Tile {
  std::size_t i, j;
  unsigned height, width;

  KOKKOS_FUNCTION Tile(const Matrices<E>& m, int rank, unsigned rows, unsigned columns,
                       const TileShift& shift = {}) {
    const auto down = static_cast<unsigned>((m.rows + shift.i + rows - 1) / rows);
    const auto tile = static_cast<unsigned>(rank);
    cut(tile % down, rows, shift.i, m.rows, i, height);
    cut(tile / down, columns, shift.j, m.columns, j, width);
  }

private:
  /// The part in [0, extent) of [at * side - shift, at * side - shift + side).
  static KOKKOS_FUNCTION void cut(unsigned at, unsigned side, unsigned shift, std::size_t extent,
                                  std::size_t& first, unsigned& count) {
    const unsigned missing = at == 0 ? shift : 0;
    first = std::size_t{at} * side + missing - shift;
    count = static_cast<unsigned>(Kokkos::min(extent - first, std::size_t{side - missing}));
  }
};

} // namespace ado::detail::device_tile
