// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's vector lanes share a row. `row_per_vector` and `register_limited` differ in how a lane
// walks along its part of the row. Their files have the cards.
#pragma once

#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/team_size.hpp>
#include <ado/portable/variant.hpp>
#include <ado/yax/detail/finish.hpp>
#include <ado/yax/kokkos/views.hpp>
#include <ado/yax/rounding.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::bench {

/// RowSum::of<T>(team, count, a, x): sum of a(j) * x(j) for j < count by the lanes of the thread.
template <class Exec, class T, class RowSum>
struct YaxRowPerVector {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  YaxViews<Exec, T> p;
  std::size_t rows_per_team;
  T* partial; ///< one per team

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t first = team.league_rank() * rows_per_team;
    const std::size_t last = Kokkos::min(first + rows_per_team, p.a.extent(0));
    T sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, first, last),
        [&](std::size_t i, T& of_rows) {
          const T dot = RowSum::template of<T>(
              team, p.a.extent(1), [&](std::size_t j) { return p.a(i, j); },
              [&](std::size_t j) { return p.x(j); });
          of_rows += p.y(i) * dot;
        },
        sum);
    Kokkos::single(Kokkos::PerTeam(team), [&] { partial[team.league_rank()] = sum; });
  }
};

template <class Exec>
std::size_t yax_rows_per_team(const Launch& launch) {
  return std::max(1, team_size<Exec>(launch) / vector_lanes<Exec>);
}

/// Bounds: what the compiler is promised about a team, as in teams_as_asked. `label` and
/// `finish_label` name the two kernels.
template <class Bounds, class RowSum, class Exec>
void yax_row_per_vector(const char* label, const char* finish_label, const Exec& exec,
                        const Call& call) {
  with_real_type(call.type, [&](auto zero) {
    using T = decltype(zero);
    auto* const partial = static_cast<T*>(call.workspace);
    const std::size_t per_team = yax_rows_per_team<Exec>(call.launch);
    const std::size_t league = ceil_div(call.shape[0], per_team);
    const YaxRowPerVector<Exec, T, RowSum> kernel{YaxViews<Exec, T>(call), per_team, partial};
    Kokkos::parallel_for(
        label,
        teams_as_asked<Bounds>(exec, league, kernel, call.launch, vector_lanes<Exec>, 0, label),
        kernel);
    yax_finish(finish_label, exec, partial, league, call.arrays[3].as<T>());
  });
}

/// A team may have only one thread, and so one row.
inline std::size_t yax_row_per_vector_workspace(const Shape& s, Type type, const char* what) {
  return checked_product({s[0], size_of(type)}, what);
}

template <class Exec>
double yax_row_per_vector_steps(const Shape& s, Type type, const Launch& launch) {
  const std::size_t per_team = yax_rows_per_team<Exec>(launch);
  // A lane's chain with its products, the lanes' tree, the product with y; the team's rows in any
  // order, for Kokkos does not promise a tree.
  constexpr std::size_t lanes = vector_lanes<Exec>;
  const double row = double(ceil_div(s[1], lanes)) + tree_depth(std::min(s[1], lanes)) + 1;
  const double rows = double(std::min(s[0], per_team));
  return row + rows + with_real_type(type, [&](auto zero) {
           return yax_finish_steps<decltype(zero), Exec>(ceil_div(s[0], per_team));
         });
}

} // namespace ado::bench
