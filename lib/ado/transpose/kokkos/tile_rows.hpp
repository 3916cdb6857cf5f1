// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of `tile_rows` and `tile_strided`: a team has a tile of 32 x 32 elements, but no
// scratch. Their files have the cards.
#pragma once

#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>
#include <ado/transpose/matrices.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::bench {

/// A thread has four rows of the tile of b: `apart` 1, next to each other; 8, eight apart.
template <class Exec, class E, int apart>
struct TransposeTileRows {
  static constexpr int side = 32, threads = 8, own_rows = side / threads;
  static constexpr int first_apart = apart == 1 ? own_rows : 1; ///< of neighbouring threads
  static constexpr int team_threads = runs_on_host<Exec> ? 1 : side * threads;

  Matrices<E> m;

  KOKKOS_FUNCTION void operator()(const typename Teams<Exec>::member_type& team) const {
    const auto down = static_cast<unsigned>((m.rows + side - 1) / side);
    const auto rank = static_cast<unsigned>(team.league_rank());
    const std::size_t first_i = std::size_t{rank % down} * side;
    const std::size_t first_j = std::size_t{rank / down} * side;
    const auto height = static_cast<int>(Kokkos::min(m.rows - first_i, std::size_t{side}));
    const auto width = static_cast<int>(Kokkos::min(m.columns - first_j, std::size_t{side}));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, threads), [&](int thread) {
      const int first = thread * first_apart;
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, height), [&](int i) {
        const E* const from = m.a + (first_i + i) * m.lda + first_j;
        E* const to = m.b + first_j * m.ldb + first_i + i;
        E of_a[own_rows]{};
        ADO_UNROLL
        for (int k = 0; k < own_rows; ++k)
          if (const int j = first + k * apart; j < width) of_a[k] = from[j];
        ADO_UNROLL
        for (int k = 0; k < own_rows; ++k)
          if (const int j = first + k * apart; j < width) to[std::size_t(j) * m.ldb] = of_a[k];
      });
    });
  }
};

template <int apart, class Exec>
void transpose_tile_rows(const char* label, const Exec& exec, const Call& call) {
  if (call.shape[0] == 0 || call.shape[1] == 0) return;
  with_matrices(call, [&]<class E>(const Matrices<E>& m) {
    using Kernel = TransposeTileRows<Exec, E, apart>;
    const std::size_t tiles = ceil_div(m.rows, Kernel::side) * ceil_div(m.columns, Kernel::side);
    const int team_size = runs_on_host<Exec> ? 1 : Kernel::threads;
    const Teams<Exec, 0, Kernel::team_threads> policy(exec, league_size(tiles), team_size,
                                                      vector_lanes<Exec>);
    Kokkos::parallel_for(label, policy, Kernel{m});
  });
}

} // namespace ado::bench
