// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers vector_add_team (team.hpp, which has the card) through the public function.
#include <ado/portable/variant.hpp>
#include <ado/vector_add/variant.hpp>
#include <ado/vector_add/vector_add.hpp>

namespace ado {

struct VectorAddTeamVariant : VectorAddByPacks {
  static constexpr std::string_view name = "team";
  static constexpr std::string_view summary = "packs from the first boundary on, all loads first";

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      vector_add(exec, view_of<Exec, const T*>(call, 0), view_of<Exec, const T*>(call, 1),
                 view_of<Exec, T*>(call, 2));
    });
  }
};
const PortableVariant<VectorAddTeamVariant> vector_add_team_registered{__FILE__};

} // namespace ado
