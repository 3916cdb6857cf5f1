// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, kokkos, exercise_tile: b[j][i] = a[i][j]. Lesson 4
//   mapping   team = a tile of 32 x 32 elements; thread = rows of the tile; lane = an element of
//             the row
//   scratch   the tile
//   bytes     reads a once; writes nothing yet
//   teaches   a tile in scratch lets a warp read whole rows of a and write whole rows of b
// Your part: the second half. The tile is full; write it to b. So far nothing is written, and ado
// notices.
//   hint 1    the tile starts at row first_i and column first_j of a. Where does it start in b?
//   hint 2    copy the loops above. This time the thread's row is a row of b, so a column j of the
//             tile, and the lanes run along i
//   hint 3    at the edges the tile is smaller: height rows of a, width columns. Which of the two
//             does each loop take?
//   hint 4    the tile must be complete before another thread reads it: team.team_barrier(). On a
//             CPU the team is one thread, and nothing tells you that the barrier is missing
#include <ado/core/elements.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class A, class B>
struct ExerciseTile {
  static constexpr int side = 32;
  using E = typename B::value_type;
  using Tile = Kokkos::View<E[side][side], Kokkos::LayoutRight, typename Exec::scratch_memory_space,
                            Kokkos::MemoryUnmanaged>;
  A a;
  B b;

  KOKKOS_FUNCTION void operator()(const typename Teams<Exec>::member_type& team) const {
    const Tile tile(team.team_scratch(0));
    const int down =
        static_cast<int>((a.extent(0) + side - 1) / side); // tiles in a column of tiles
    const std::size_t first_i = std::size_t(team.league_rank() % down) * side;
    const std::size_t first_j = std::size_t(team.league_rank() / down) * side;
    const int height = static_cast<int>(Kokkos::min(a.extent(0) - first_i, std::size_t{side}));
    const int width = static_cast<int>(Kokkos::min(a.extent(1) - first_j, std::size_t{side}));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, height), [&](int i) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, width),
                           [&](int j) { tile(i, j) = a(first_i + i, first_j + j); });
    });
    // yours: begin
    // yours: end
  }
};

struct ExerciseTileVariant {
  static constexpr std::string_view algorithm = "transpose", name = "exercise_tile";
  static constexpr std::string_view summary = "lesson 4: write the tile to b";
  static constexpr TypeSet types = all_types;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    if (call.shape[0] == 0 || call.shape[1] == 0) return;
    with_element(size_of(call.type), [&](auto element) {
      using E = decltype(element);
      const auto a = view_of<Exec, const E**>(call, 0);
      const auto b = view_of<Exec, E**>(call, 1);
      using Kernel = ExerciseTile<Exec, decltype(a), decltype(b)>;
      const std::size_t tiles =
          ceil_div(call.shape[0], Kernel::side) * ceil_div(call.shape[1], Kernel::side);
      auto policy = teams(exec, tiles, vector_lanes<Exec>);
      policy.set_scratch_size(0, Kokkos::PerTeam(Kernel::Tile::shmem_size()));
      Kokkos::parallel_for("ado::transpose[exercise_tile]", policy, Kernel{a, b});
    });
  }
};
const PortableVariant<ExerciseTileVariant> exercise_tile{__FILE__};

} // namespace ado::bench
