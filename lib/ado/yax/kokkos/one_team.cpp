// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, one_team: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   league: one team, or as many as asked for, each with a contiguous share of the rows;
//             thread: the rows that fall to it in turn, as in row_per_thread. A team adds the sums
//             of its threads; a second kernel of one team adds the sums of the teams
//   scratch   the team's reduction; workspace: room for 65536 teams, one number each
//   bytes     reads a once, x once a row (from cache), y once
//   needs     any team size, up to 65536 teams
//   teaches   against `row_per_thread`: the same work items with launch parameters that leave all
//             but one multiprocessor or core idle. With --league-size and --team-size the time
//             falls as the device fills, until it is that of `row_per_thread`
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
struct YaxOneTeam {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  YaxViews<Exec, T> p;
  std::size_t rows_per_team;
  T* partial; ///< one per team

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t rows = p.a.extent(0);
    const std::size_t first = Kokkos::min(team.league_rank() * rows_per_team, rows);
    const std::size_t last = Kokkos::min(first + rows_per_team, rows);
    T sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, first, last),
        [&](std::size_t i, T& of_rows) {
          T dot = 0;
          for (std::size_t j = 0; j < p.a.extent(1); ++j)
            dot += p.a(i, j) * p.x(j);
          of_rows += p.y(i) * dot;
        },
        sum);
    Kokkos::single(Kokkos::PerTeam(team), [&] { partial[team.league_rank()] = sum; });
  }
};

struct YaxOneTeamVariant {
  static constexpr std::string_view algorithm = "yax", name = "one_team";
  static constexpr std::string_view summary = "bad launch parameters: one team does everything";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true, takes_league_size = true;
  static constexpr int most_teams = 65536;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_thread(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      auto* const partial = static_cast<T*>(call.workspace);
      const std::size_t league =
          checked_league_size(call.launch.league_size, 1, most_teams, "yax[one_team]");
      const YaxOneTeam<Exec, T> kernel{YaxViews<Exec, T>(call), ceil_div(call.shape[0], league),
                                       partial};
      Kokkos::parallel_for("ado::yax::rows[one_team]",
                           teams_as_asked(exec, league, kernel, call.launch, 1, 0, "yax[one_team]"),
                           kernel);
      yax_finish("ado::yax::finish[one_team]", exec, partial, league, call.arrays[3].as<T>());
    });
  }
  static std::size_t workspace_bytes(const Shape&, Type type) { return most_teams * size_of(type); }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type, const Launch& launch) {
    const std::size_t league =
        checked_league_size(launch.league_size, 1, most_teams, "yax[one_team]");
    const std::size_t rows = ceil_div(s[0], league), threads = team_size<Exec>(launch);
    // A row is a chain with its products; its product with y; the rows of a thread, the threads in
    // any order, for Kokkos does not promise a tree.
    const double of_team = double(ceil_div(rows, threads)) + double(std::min(rows, threads));
    return double(s[1]) + 1 + of_team + with_real_type(type, [&](auto zero) {
             return yax_finish_steps<decltype(zero), Exec>(league);
           });
  }
};
const PortableVariant<YaxOneTeamVariant> yax_one_team_registered{__FILE__};

} // namespace ado::bench
