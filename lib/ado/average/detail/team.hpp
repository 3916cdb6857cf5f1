// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of `team`. Its card: kokkos/team.cpp.
#pragma once

#include <ado/average/detail/vectors.hpp>
#include <ado/portable/row_sum_steps.hpp>
#include <ado/portable/row_sums.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ado::detail {

/// Means of the rows of v from sums of v, or of what its pieces have.
template <class Exec, class T, int lanes, class P>
struct AverageTeam {
  using Member = typename Teams<Exec, 4>::member_type;

  VectorsRef<T> v;
  std::size_t rows_per_team;
  std::uint64_t inverse; ///< 2^32 / v.length, rounded up: rows of a tile are few enough
  T divisor;
  T* mean;
  std::size_t mean_stride;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const AverageTeam own = *this; // GCC reads members again after each store
    own.average(team);
  }

private:
  KOKKOS_FUNCTION void average(const Member& team) const {
    const std::size_t begin = std::size_t(team.league_rank()) * rows_per_team;
    const std::size_t count = Kokkos::min(rows_per_team, v.sets * v.length - begin);
    const std::size_t set = v.set_of(begin), l = begin - set * v.length;
    // A division for each row would take longer than a short one.
    const auto sets_behind = [&](std::size_t i) -> std::size_t {
      return l + i < v.length ? 0 : v.length >= rows_per_team ? 1 : (l + i) * inverse >> 32;
    };
    one::sum_rows<lanes, P>(
        team, count,
        [&](std::size_t i) {
          const std::size_t k = sets_behind(i);
          return one::Row<T>{v.vector(set + k, l + i - k * v.length)};
        },
        v.count, one::Itself(), scratch_of<T, one::Constants<Exec>::team_threads>(team),
        [&](std::size_t i, std::size_t apart, const auto& sums) {
          const auto means = sums / std::decay_t<decltype(sums)>::of(divisor);
          ADO_UNROLL
          for (int r = 0; r < means.size; ++r) {
            const std::size_t at = i + r * apart, k = sets_behind(at);
            mean[(set + k) * mean_stride + l + at - k * v.length] = means.get(r);
          }
        });
  }
};

/// Launches the kernels; asynchronous on `exec`. Vectors that are few and long are summed piece by
/// piece: `partial` holds one::most_pieces() numbers.
template <class Exec, class T>
void average_team(const Exec& exec, const VectorsRef<T>& v, T* mean, std::size_t mean_stride,
                  T* partial) {
  const std::size_t rows = v.sets * v.length;
  if (rows == 0) return;
  const auto divide = [&](const VectorsRef<T>& of, const one::RowPlan& plan) {
    const std::uint64_t inverse = (std::uint64_t{1} << 32) / v.length + 1;
    one::with_lanes_and_pack<Exec, T>(plan, of.wide(), [&](auto lanes, auto pack) {
      Kokkos::parallel_for("ado::average[team]",
                           summing_teams<T, 4>(exec, ceil_div(rows, plan.rows_per_team)),
                           AverageTeam<Exec, T, lanes, decltype(pack)>{
                               of, plan.rows_per_team, inverse, T(v.count), mean, mean_stride});
    });
  };
  const one::RowPlan plan = one::plan_rows<Exec>(v.all, v.count, sizeof(T));
  if (plan.pieces == 1) return divide(v, plan);
  one::sum_pieces("ado::average::pieces[team]", exec, v, rows, v.count, v.wide(), one::Itself(),
                  plan, partial);
  const std::size_t pieces = plan.pieces;
  divide({partial, v.sets, v.length, pieces, v.length * pieces, pieces},
         one::plan_rows<Exec>(v.all, pieces, sizeof(T)));
}

/// Roundings on the longest path of average_team over `rows` rows of `length` elements: the sum of
/// a piece, the sum of the pieces, one division.
template <class Exec, class T>
double average_team_steps(std::size_t rows, std::size_t length) {
  return one::row_steps<Exec, T>(one::plan_rows<Exec>(rows, length, sizeof(T)), rows) + 1;
}

} // namespace ado::detail
