// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, kokkos, plain: b[j][i] = a[i][j]
//   mapping   team: a tile of 32 x 32 elements; thread: rows of the tile, first of a, then of b;
//             lane: neighbouring elements. Kokkos chooses how many threads, of 32 lanes
//   scratch   the tile, 32 x 33 elements a team
//   bytes     reads a once, writes b once; a CPU reads b too before it is overwritten
//   needs     nothing
//   teaches   a tile in team scratch and nested ranges, as Kokkos' Programming Guide writes them:
//             both sides are coalesced. A load brings one element, and few are in flight: `team`
//             moves blocks of packs
#include <ado/core/checks.hpp>
#include <ado/core/elements.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>
#include <ado/transpose/accesses.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class E>
struct TransposePlain {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static constexpr std::size_t side = 32;
  using Tile = Kokkos::View<E[side][side + 1], Kokkos::LayoutRight,
                            typename Exec::scratch_memory_space, Kokkos::MemoryUnmanaged>;

  RowMajor<Exec, const E**> a;
  RowMajor<Exec, E**> b;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t down = (a.extent(0) + side - 1) / side;
    const std::size_t i0 = team.league_rank() % down * side, j0 = team.league_rank() / down * side;
    const std::size_t height = Kokkos::min(+side, a.extent(0) - i0);
    const std::size_t width = Kokkos::min(+side, a.extent(1) - j0);
    const Tile tile(team.team_scratch(0));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, height), [&](std::size_t i) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, width),
                           [&](std::size_t j) { tile(i, j) = a(i0 + i, j0 + j); });
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, width), [&](std::size_t j) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, height),
                           [&](std::size_t i) { b(j0 + j, i0 + i) = tile(i, j); });
    });
  }
};

struct TransposePlainVariant {
  static constexpr std::string_view algorithm = "transpose", name = "plain";
  static constexpr std::string_view summary = "a tile in scratch, as Kokkos' guide teaches it";
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::tiled(s, type, 8, 1);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_element(size_of(call.type), [&](auto element) {
      using Kernel = TransposePlain<Exec, decltype(element)>;
      const std::size_t tiles =
          ceil_div(call.shape[0], Kernel::side) * ceil_div(call.shape[1], Kernel::side);
      if (tiles == 0) return;
      Kokkos::TeamPolicy<Exec> policy(exec, league_size(tiles), Kokkos::AUTO, 32);
      set_scratch(policy, 0, Kernel::Tile::shmem_size());
      Kokkos::parallel_for("ado::transpose[plain]", policy,
                           Kernel{view_of<Exec, const decltype(element)**>(call, 0),
                                  view_of<Exec, decltype(element)**>(call, 1)});
    });
  }
};
const PortableVariant<TransposePlainVariant> transpose_plain_registered{__FILE__};

} // namespace ado::bench
