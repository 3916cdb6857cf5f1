// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers vector_add_team (team.hpp, which has the card) through the public function.
#include <ado/portable/variant.hpp>
#include <ado/vector_add/accesses.hpp>
#include <ado/vector_add/vector_add.hpp>

namespace ado {

struct VectorAddTeamVariant {
  static constexpr std::string_view algorithm = "vector_add", name = "team";
  static constexpr std::string_view summary = "packs from the first boundary on, all loads first";
  static constexpr TypeSet types = addend_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return vector_add_accesses::side_by_side(s, type, 16 / size_of(type));
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      vector_add(exec, view_of<Exec, const T*>(call, 0), view_of<Exec, const T*>(call, 1),
                 view_of<Exec, T*>(call, 2));
    });
  }
  template <class Exec>
  static double rounding_steps(const Shape&, Type) {
    return 1;
  }
};
const PortableVariant<VectorAddTeamVariant> vector_add_team_registered{__FILE__};

} // namespace ado
