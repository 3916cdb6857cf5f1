// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers average_team (team.hpp, which has the card) through the public function.
#include <ado/average/accesses.hpp>
#include <ado/average/average.hpp>
#include <ado/portable/variant.hpp>

namespace ado {

struct AverageTeamVariant {
  static constexpr std::string_view algorithm = "average", name = "team";
  static constexpr std::string_view summary =
      "as many lanes a row as it is long, 16-byte loads in flight";
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    const RowMapping map = map_rows(false, s[0] * s[1], s[2], size_of(type));
    return average_accesses::vector_by_lanes(s, type, static_cast<std::size_t>(map.lanes));
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      Workspace<Exec> workspace(call.workspace, workspace_bytes(call.shape, call.type));
      average(exec, view_of<Exec, const T***>(call, 0), view_of<Exec, T**>(call, 1), workspace);
    });
  }
  static std::size_t workspace_bytes(const Shape&, Type type) {
    return average_workspace_bytes(size_of(type));
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type) {
    return with_real_type(type, [&](auto zero) {
      return average_team_steps<Exec, decltype(zero)>(s[0] * s[1], s[2]);
    });
  }
};
const PortableVariant<AverageTeamVariant> average_team_registered{__FILE__};

} // namespace ado
