// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers average_team (team.hpp, which has the card) through the public function.
#include <ado/average/average.hpp>
#include <ado/portable/variant.hpp>

namespace ado {

struct AverageTeamVariant {
  static constexpr std::string_view algorithm = "average", name = "team";
  static constexpr std::string_view summary = "a vector of lanes a row, 16-byte loads in flight";
  static constexpr TypeSet types = real_types;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      average(exec, view_of<Exec, const T***>(call, 0), view_of<Exec, T**>(call, 1));
    });
  }
  template <class Exec>
  static double rounding_steps(const Shape& shape, Type type) {
    return with_real_type(
        type, [&](auto zero) { return average_team_steps<Exec, decltype(zero)>(shape[2]); });
  }
};
const PortableVariant<AverageTeamVariant> average_team_registered{__FILE__};

} // namespace ado
