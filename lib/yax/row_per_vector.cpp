// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, row_per_vector: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   league: blocks of as many rows as a team has threads; thread: a row, its vector lanes
//             side by side in j. The team adds its rows, a second kernel of one team the teams
//   scratch   the team's reduction; workspace: one number a team
//   bytes     reads a once, x once a row (from cache), y once
//   needs     any team size that is a multiple of the vector's lanes
//   teaches   against `row_per_thread`: neighbouring lanes read neighbouring elements, so each sector
//             of a is fetched once and used whole. Left: a load brings one element, and few are in
//             flight, which `team` mends. On a host a vector is one lane, which adds one by one
#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/team_size.hpp>
#include <ado/portable/variant.hpp>
#include <ado/portable/vector_sum.hpp>
#include <ado/yax/accesses.hpp>
#include <ado/yax/finish.hpp>
#include <ado/yax/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>

namespace ado {

template <class Exec, class T>
struct YaxRowPerVector {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  YaxViews<Exec, T> p;
  std::size_t rows_per_team;
  T* partial; ///< one a team

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t first = team.league_rank() * rows_per_team;
    const std::size_t last = Kokkos::min(first + rows_per_team, p.a.extent(0));
    T sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, first, last),
        [&](std::size_t i, T& of_rows) {
          const T dot =
              vector_sum<T>(team, p.a.extent(1), [&](std::size_t j) { return p.a(i, j) * p.x(j); });
          of_rows += p.y(i) * dot;
        },
        sum);
    Kokkos::single(Kokkos::PerTeam(team), [&] { partial[team.league_rank()] = sum; });
  }
};

struct YaxRowPerVectorVariant {
  static constexpr std::string_view algorithm = "yax", name = "row_per_vector";
  static constexpr std::string_view summary = "a thread's vector lanes share a row: coalesced";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_warp(s, type);
  }
  template <class Exec>
  static std::size_t rows_per_team(const Launch& launch) {
    return std::max(1, team_size<Exec>(launch) / vector_lanes<Exec>);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      auto* const partial = static_cast<T*>(call.workspace);
      const std::size_t per_team = rows_per_team<Exec>(call.launch);
      const std::size_t league = ceil_div(call.shape[0], per_team);
      const YaxRowPerVector<Exec, T> kernel{YaxViews<Exec, T>(call), per_team, partial};
      Kokkos::parallel_for("ado::yax::rows[row_per_vector]",
                           teams_as_asked<RegistersFirst>(exec, league, kernel, call.launch,
                                                          vector_lanes<Exec>, 0,
                                                          "yax[row_per_vector]"),
                           kernel);
      yax_finish("ado::yax::finish[row_per_vector]", exec, partial, league, call.arrays[3].as<T>());
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    // A team may be of one thread, so of one row.
    return checked_product({s[0], size_of(type)}, "yax[row_per_vector]: workspace");
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type, const Launch& launch) {
    const std::size_t per_team = rows_per_team<Exec>(launch);
    // A lane's chain with its products, the lanes' tree, the product with y; the team's rows in any
    // order, for Kokkos does not promise a tree.
    constexpr std::size_t lanes = vector_lanes<Exec>;
    const double row = double(ceil_div(s[1], lanes)) + tree_depth(std::min(s[1], lanes)) + 1;
    const double rows = double(std::min(s[0], per_team));
    return row + rows + with_real_type(type, [&](auto zero) {
             return yax_finish_steps<decltype(zero), Exec>(ceil_div(s[0], per_team));
           });
  }
};
const PortableVariant<YaxRowPerVectorVariant> yax_row_per_vector_registered{__FILE__};

} // namespace ado
