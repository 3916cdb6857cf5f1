// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, kokkos, team: c[i] = a[i] + b[i]
//   mapping   team: a share of the vectors, from one boundary of packs in c to the next; lanes: packs of it side by
//             side, a few each, all loads before the first store
//   scratch   none
//   bytes     reads a and b once, writes c once, past the caches of a CPU if c is large
//   needs     nothing; a GPU moves 16 bytes at a time where a, b and c are equally far from a boundary of these
//   teaches   one body for every backend: what differs is the width of a pack and how many lanes a team has
#include <ado/portable/variant.hpp>
#include <ado/vector_add/call_vectors.hpp>
#include <ado/vector_add/detail/team.hpp>
#include <ado/vector_add/variant.hpp>

namespace ado {

struct VectorAddTeamVariant : VectorAddByPacks {
  static constexpr std::string_view name = "team";
  static constexpr std::string_view summary = "one body for all backends: packs, all loads first";

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_addend(call.type,
                [&](auto zero) { vector_add_team(exec, vectors_of<decltype(zero)>(call)); });
  }
};
const PortableVariant<VectorAddTeamVariant> vector_add_team_registered{__FILE__};

} // namespace ado
