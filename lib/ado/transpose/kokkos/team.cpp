// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers transpose_team (team.hpp, which has the card) through the public function.
#include <ado/portable/variant.hpp>
#include <ado/transpose/transpose.hpp>

namespace ado {

struct TransposeTeamVariant {
  static constexpr std::string_view algorithm = "transpose", name = "team";
  static constexpr std::string_view summary = "tiles through scratch, wide on both sides";
  static constexpr TypeSet types = all_types;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_element(size_of(call.type), [&](auto element) {
      using E = decltype(element);
      transpose(exec, view_of<Exec, const E**>(call, 0), view_of<Exec, E**>(call, 1));
    });
  }
};
const PortableVariant<TransposeTeamVariant> transpose_team_registered{__FILE__};

} // namespace ado
