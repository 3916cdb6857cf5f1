// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, kokkos, several: c[i] = a[i] + b[i]
//   mapping   as `coalesced`, four elements a lane one after the other, a warp apart (in_turn.hpp)
//   scratch   none
//   bytes     reads a and b once, writes c once
//   needs     up to 2^24 teams
//   teaches   against `coalesced`: several elements per lane promise several loads in flight. But
//             for all the compiler knows, c may be the memory of a or b, so it loads nothing before
//             the previous sum is stored. `read_only` removes that doubt; `tuned` writes all loads
//             first. --league-size makes the loop longer
#include <ado/portable/variant.hpp>
#include <ado/vector_add/kokkos/in_turn.hpp>
#include <ado/vector_add/kokkos/views.hpp>
#include <ado/vector_add/variant.hpp>

namespace ado::bench {

struct VectorAddSeveralVariant : VectorAddByElements {
  static constexpr std::string_view name = "several";
  static constexpr std::string_view summary = "four elements a lane, each stored before the next";
  static constexpr bool takes_league_size = true;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_addend(call.type, [&](auto zero) {
      const VectorAddViews<Exec, decltype(zero)> v(call);
      vector_add_by_turns("ado::vector_add[several]", exec, v.a, v.b, v.c, call.launch.league_size);
    });
  }
};
const PortableVariant<VectorAddSeveralVariant> vector_add_several_registered{__FILE__};

} // namespace ado::bench
