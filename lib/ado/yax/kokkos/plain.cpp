// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, plain: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   team: a row, whose threads share j. Kokkos adds the rows, and chooses how many
//             threads a team has
//   scratch   Kokkos' own, of its reductions
//   bytes     reads a once, x once a row (from cache), y once
//   needs     nothing
//   teaches   a nested reduction, as Kokkos' Programming Guide and tutorials write it. Each row
//             pays for a team's reduction, and a load brings one element: `team` mends both
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>
#include <ado/yax/accesses.hpp>
#include <ado/yax/kokkos/views.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct YaxPlain {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  YaxViews<Exec, T> p;

  KOKKOS_FUNCTION void operator()(const Member& team, T& of_rows) const {
    const int i = team.league_rank();
    T dot = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, p.a.extent(1)),
        [&](std::size_t j, T& of_thread) { of_thread += p.a(i, j) * p.x(j); }, dot);
    Kokkos::single(Kokkos::PerTeam(team), [&] { of_rows += p.y(i) * dot; });
  }
};

struct YaxPlainVariant {
  static constexpr std::string_view algorithm = "yax", name = "plain";
  static constexpr std::string_view summary = "a nested reduction, as Kokkos' guide teaches it";
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_warp(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      Kokkos::parallel_reduce(
          "ado::yax[plain]",
          Kokkos::TeamPolicy<Exec>(exec, league_size(call.shape[0]), Kokkos::AUTO),
          YaxPlain<Exec, T>{YaxViews<Exec, T>(call)}, view_of<Exec, T>(call, 3));
    });
  }
  static double rounding_steps(const Shape& s, Type) {
    return double(s[0]) + double(s[1]); // additions in any order, and two products
  }
};
const PortableVariant<YaxPlainVariant> yax_plain_registered{__FILE__};

} // namespace ado::bench
