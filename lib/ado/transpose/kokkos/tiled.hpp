// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of `tiled` and `tiled_padded`: a team transposes a tile of 32 x 32 elements in
// scratch. Their files have the cards.
#pragma once

#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>
#include <ado/transpose/matrices.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::bench {

/// `padding`: elements between the rows of the tile.
template <class Exec, class E, int padding>
struct TransposeTiled {
  static constexpr int side = 32; ///< lanes of a warp
  /// Threads of a team. On a GPU each has eight rows and loads them all before it stores the first.
  /// A compiler that sees a pointer to scratch cannot know that no load reads what was just stored,
  /// and would wait for each. On a host a team is one thread and takes a row at a time.
  static constexpr int threads = runs_on_host<Exec> ? side : 4;
  static constexpr int team_size = runs_on_host<Exec> ? 1 : threads;
  using Tile = Kokkos::View<E[side][side + padding], Kokkos::LayoutRight,
                            typename Exec::scratch_memory_space, Kokkos::MemoryUnmanaged>;

  Matrices<E> m;

  KOKKOS_FUNCTION void operator()(const typename Teams<Exec>::member_type& team) const {
    const Tile tile(team.team_scratch(0));
    const auto down = static_cast<unsigned>((m.rows + side - 1) / side);
    const auto rank = static_cast<unsigned>(team.league_rank());
    const std::size_t first_i = std::size_t{rank % down} * side;
    const std::size_t first_j = std::size_t{rank / down} * side;
    const E* from = m.a + first_i * m.lda + first_j;
    E* to = m.b + first_j * m.ldb + first_i;
    const auto height = static_cast<int>(Kokkos::min(m.rows - first_i, std::size_t{side}));
    const auto width = static_cast<int>(Kokkos::min(m.columns - first_j, std::size_t{side}));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, threads), [&](int thread) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, width), [&](int j) {
        const E* const below = from + std::size_t(thread) * m.lda + j;
        E of_a[side / threads]{};
        ADO_UNROLL
        for (int k = 0; k < side / threads; ++k)
          if (thread + k * threads < height) of_a[k] = below[std::size_t(k) * threads * m.lda];
        ADO_UNROLL
        for (int k = 0; k < side / threads; ++k)
          if (thread + k * threads < height) tile(thread + k * threads, j) = of_a[k];
      });
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, threads), [&](int thread) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, height), [&](int i) {
        E* const below = to + std::size_t(thread) * m.ldb + i;
        E of_b[side / threads]{};
        ADO_UNROLL
        for (int k = 0; k < side / threads; ++k)
          if (thread + k * threads < width) of_b[k] = tile(i, thread + k * threads);
        ADO_UNROLL
        for (int k = 0; k < side / threads; ++k)
          if (thread + k * threads < width) below[std::size_t(k) * threads * m.ldb] = of_b[k];
      });
    });
  }
};

template <int padding, class Exec>
void transpose_tiled(const char* label, const Exec& exec, const Call& call) {
  if (call.shape[0] == 0 || call.shape[1] == 0) return;
  with_matrices(call, [&]<class E>(const Matrices<E>& m) {
    using Kernel = TransposeTiled<Exec, E, padding>;
    const std::size_t tiles = ceil_div(m.rows, Kernel::side) * ceil_div(m.columns, Kernel::side);
    Teams<Exec, 8> policy(exec, league_size(tiles), Kernel::team_size, vector_lanes<Exec>);
    set_scratch(policy, 0, Kernel::Tile::shmem_size());
    Kokkos::parallel_for(label, policy, Kernel{m});
  });
}

} // namespace ado::bench
