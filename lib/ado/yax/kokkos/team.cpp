// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers yax_team (team.hpp, which has the card) through the public function.
#include <ado/portable/variant.hpp>
#include <ado/yax/yax.hpp>

namespace ado {

struct YaxTeamVariant {
  static constexpr std::string_view algorithm = "yax", name = "team";
  static constexpr std::string_view summary = "a team a tile, lanes along rows, sums in two steps";
  static constexpr TypeSet types = real_types;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      Workspace<Exec> workspace(call.workspace, workspace_bytes(call.shape, call.type));
      yax(exec, view_of<Exec, const T*>(call, 0), view_of<Exec, const T**>(call, 1),
          view_of<Exec, const T*>(call, 2), view_of<Exec, T>(call, 3), workspace);
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return yax_workspace_bytes(s[0], s[1], size_of(type));
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type) {
    return with_real_type(
        type, [&](auto zero) { return yax_team_steps<Exec, decltype(zero)>(s[0], s[1]); });
  }
};
const PortableVariant<YaxTeamVariant> yax_team_registered{__FILE__};

} // namespace ado
