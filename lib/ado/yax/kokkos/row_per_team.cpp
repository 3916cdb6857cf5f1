// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, row_per_team: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   league: the rows; all vector lanes of all threads of a team side by side in j. A
//             second kernel of one team adds the rows
//   scratch   the team's reduction; workspace: one number a row
//   bytes     reads a once, x once a row (from cache), y once
//   needs     any team size that is a multiple of the vector's lanes
//   teaches   against `row_per_vector`: a whole team streams one row, so the teams read in few
//             places of memory at once. But each row pays for a team's reduction with its barriers,
//             which is too much for short rows. What remains: the narrow loads, which `tuned`
//             widens
#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/team_size.hpp>
#include <ado/portable/variant.hpp>
#include <ado/yax/accesses.hpp>
#include <ado/yax/detail/finish.hpp>
#include <ado/yax/kokkos/views.hpp>
#include <ado/yax/rounding.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>

namespace ado::bench {

template <class Exec, class T>
struct YaxRowPerTeam {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  YaxViews<Exec, T> p;
  T* partial; ///< one per row

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t i = team.league_rank();
    T dot = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamVectorRange(team, p.a.extent(1)),
        [&](std::size_t j, T& of_lane) { of_lane += p.a(i, j) * p.x(j); }, dot);
    Kokkos::single(Kokkos::PerTeam(team), [&] { partial[i] = p.y(i) * dot; });
  }
};

struct YaxRowPerTeamVariant {
  static constexpr std::string_view algorithm = "yax", name = "row_per_team";
  static constexpr std::string_view summary = "a team a row: all its lanes side by side";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_warp(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      auto* const partial = static_cast<T*>(call.workspace);
      const std::size_t rows = call.shape[0];
      const YaxRowPerTeam<Exec, T> kernel{YaxViews<Exec, T>(call), partial};
      Kokkos::parallel_for("ado::yax::rows[row_per_team]",
                           teams_as_asked(exec, rows, kernel, call.launch, vector_lanes<Exec>, 0,
                                          "yax[row_per_team]"),
                           kernel);
      yax_finish("ado::yax::finish[row_per_team]", exec, partial, rows, call.arrays[3].as<T>());
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return checked_product({s[0], size_of(type)}, "yax[row_per_team]: workspace");
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type, const Launch& launch) {
    // A lane's chain with its products, the lanes' tree, the threads in any order, for Kokkos does
    // not promise a tree, and the product with y.
    constexpr std::size_t lanes = vector_lanes<Exec>;
    const std::size_t threads = team_size<Exec>(launch);
    const std::size_t busy = std::min(threads, round_up(s[1], lanes)) / lanes;
    const double row = double(ceil_div(s[1], threads)) + tree_depth(std::min(s[1], lanes));
    return row + double(busy) + 1 + with_real_type(type, [&](auto zero) {
             return yax_finish_steps<decltype(zero), Exec>(s[0]);
           });
  }
};
const PortableVariant<YaxRowPerTeamVariant> yax_row_per_team_registered{__FILE__};

} // namespace ado::bench
