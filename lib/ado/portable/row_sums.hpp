// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums along rows, in one source for all backends. Begin with sum_rows(): a thread of a team takes
// a few rows at a time, its lanes stand side by side in them, and each lane adds packs.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/row_plan.hpp>
#include <ado/portable/packs.hpp>
#include <ado/portable/team_sums.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ado::one {

/// A row, or a piece of one that begins at `place`.
template <class T>
struct Row {
  const T* from;
  std::size_t place = 0;
};

/// The terms of a plain sum, and of a dot product with x, and how many numbers each is made of.
struct Itself {
  static constexpr int numbers = 1;
  template <class P>
  KOKKOS_INLINE_FUNCTION P operator()(const P& values, const P&) const {
    return values;
  }
};
template <class T>
struct Times {
  static constexpr int numbers = 2;
  const T* x;
  template <class P>
  KOKKOS_INLINE_FUNCTION P operator()(const P& values, const P& of_x) const {
    return values * of_x;
  }
};

/// Adds one lane's share of the n numbers of some rows to `sum`: its packs lie `lanes` packs apart.
/// It has all loads it can in flight before it adds the first. Packs beyond the row are zeros. So
/// one short loop serves rows of any length: a kernel of a few microseconds waits for its
/// instructions, too.
template <int lanes, int in_flight, class P, int rows, class T, class Index, class Term>
KOKKOS_INLINE_FUNCTION void add_share(Index lane, const Row<T> (&row)[rows], Index n,
                                      const Term& term, P (&sum)[rows]) {
  constexpr Index size = P::size;
  const Index packs = n / size;
  ADO_UNROLL_BY(1)
  for (Index first = lane; first < packs; first += in_flight * lanes) {
    P values[in_flight][rows], of_x[in_flight][rows];
    ADO_REGISTERS
    for (int u = 0; u < in_flight; ++u) {
      const bool is_there = u == 0 || packs - first > Index(u) * lanes;
      const Index at = (first + u * lanes) * size;
      ADO_REGISTERS
      for (int r = 0; r < rows; ++r) {
        values[u][r] = is_there ? load<P>(row[r].from + at) : P{};
        if constexpr (Term::numbers > 1)
          of_x[u][r] = is_there ? load<P>(term.x + row[r].place + at) : P{};
      }
    }
    ADO_REGISTERS
    for (int u = 0; u < in_flight; ++u)
      ADO_REGISTERS
    for (int r = 0; r < rows; ++r)
      sum[r] += term(values[u][r], of_x[u][r]);
  }
  if constexpr (size > 1)
    if (packs * size < n && lane == packs % lanes) { // what no pack holds
      ADO_REGISTERS
      for (int r = 0; r < rows; ++r) {
        P of_x{};
        if constexpr (Term::numbers > 1)
          of_x = load_rest<P>(term.x + row[r].place, packs * size, n);
        sum[r] += term(load_rest<P>(row[r].from, packs * size, n), of_x);
      }
    }
}

/// The sums of rows that are too short for packs, by one lane: each slot has a row of its own.
template <class Index, int rows, class T, class Term>
KOKKOS_INLINE_FUNCTION Pack<T, rows> sums_side_by_side(const Row<T> (&row)[rows], Index n,
                                                       const Term& term) {
  using P = Pack<T, rows>;
  P sum{};
  ADO_UNROLL_BY(4)
  for (Index k = 0; k < n; ++k) {
    P values, of_x{};
    ADO_REGISTERS
    for (int r = 0; r < rows; ++r) {
      values.set(r, row[r].from[k]);
      if constexpr (Term::numbers > 1) of_x.set(r, term.x[row[r].place + k]);
    }
    sum += term(values, of_x);
  }
  return sum;
}

/// One lane's share of the sums of the terms of some rows of n numbers.
template <class Exec, int lanes, class P, int rows, class T, class Term>
KOKKOS_INLINE_FUNCTION Pack<T, rows> shares_of(int lane, const Row<T> (&row)[rows], std::size_t n,
                                               const Term& term) {
  using C = Constants<Exec>;
  using Index = typename C::Index;
  if constexpr (C::rows_at_once > 1 && lanes == 1 && P::size == 1) {
    return sums_side_by_side(row, Index(n), term);
  } else {
    constexpr int in_flight =
        Kokkos::max(1, C::loads_in_flight(P::size) / (C::rows_at_once * Term::numbers));
    P sum[rows];
    ADO_REGISTERS
    for (int r = 0; r < rows; ++r)
      sum[r] = P{};
    add_share<lanes, in_flight>(Index(lane), row, Index(n), term, sum);
    return sums_of_slots(sum);
  }
}

/// Calls use(i, apart, sums) for the rows i < count of n numbers; row(i) is a Row. Each `lanes`
/// neighbours of a team are the lanes of some rows, i, i + apart, ..., and the first of them has
/// their sums, as a pack. The order of additions in a row does not depend on its place. Whole teams
/// must call it. (Not by ThreadVectorRange, which divides by the length of the vector to find who
/// takes part: docs/one-source.md.)
template <int lanes, class P, int rows, class Team, class T, class RowOf, class Term, class Use>
KOKKOS_INLINE_FUNCTION void sum_rows_at_once(const Team& team, std::size_t begin, std::size_t end,
                                             std::size_t apart, const RowOf& row, std::size_t n,
                                             const Term& term, T* scratch, const Use& use) {
  using Exec = typename Team::execution_space;
  constexpr std::size_t groups = Constants<Exec>::team_threads / lanes;
  const int group = team.team_rank() / lanes, lane = team.team_rank() % lanes;
  for (std::size_t first = begin; first < end; first += groups) {
    const std::size_t i = first + group;
    Pack<T, rows> sums{};
    if (i < end) {
      Row<T> of[rows];
      ADO_REGISTERS
      for (int r = 0; r < rows; ++r)
        of[r] = row(i + r * apart);
      sums = shares_of<Exec, lanes, P>(lane, of, n, term);
    }
    if constexpr (lanes > 1) {
      static_assert(rows == 1, "one sum by one scratch");
      if (first != begin) detail::before_next_sum(team);
      sums.set(0, detail::neighbours_sum<lanes>(team, sums.get(0), scratch));
    }
    if (lane == 0 && i < end) use(i, apart, sums);
  }
}
template <int lanes, class P, class Team, class T, class RowOf, class Term, class Use>
KOKKOS_INLINE_FUNCTION void sum_rows(const Team& team, std::size_t count, const RowOf& row,
                                     std::size_t n, const Term& term, T* scratch, const Use& use) {
  constexpr int rows = Constants<typename Team::execution_space>::rows_at_once;
  const std::size_t apart = count / rows;
  sum_rows_at_once<lanes, P, rows>(team, 0, apart, apart, row, n, term, scratch, use);
  if constexpr (rows > 1)
    sum_rows_at_once<lanes, P, 1>(team, rows * apart, count, 0, row, n, term, scratch, use);
}

/// How rows spread over teams: a function of the shape alone, so that every machine of a kind gives
/// the same bits.
struct RowPlan {
  int lanes;                        ///< that share a row
  std::size_t pieces, piece_length; ///< that a row is cut into where rows are few
  std::size_t rows_per_team;        ///< of whole rows, or of pieces
};
template <class Exec>
RowPlan plan_rows(std::size_t rows, std::size_t length, std::size_t element_bytes) {
  using C = Constants<Exec>;
  const int lanes = std::min(detail::device_lanes(length, element_bytes), +C::vector_lanes);
  RowPlan plan{lanes, 1, length, 1};
  while (rows * plan.pieces < C::enough_tasks && plan.pieces < 2048 &&
         length * element_bytes >= 2 * C::least_piece_bytes * plan.pieces)
    plan.pieces *= 2;
  const std::size_t lines = 256 * std::size_t(C::vector_lanes) / element_bytes;
  if (plan.pieces > 1) {
    plan.piece_length = detail::round_up(detail::ceil_div(length, plan.pieces), lines);
    plan.pieces = detail::ceil_div(length, plan.piece_length);
  }
  plan.rows_per_team = C::rows_in_blocks && plan.pieces == 1
                           ? detail::host_block_rows(rows, length, element_bytes)
                           : C::team_threads / plan.lanes * C::rows_at_once;
  return plan;
}

/// Numbers that the pieces of any rows need at most, on any backend: below enough_tasks they may
/// double.
inline constexpr std::size_t most_pieces_of_any =
    2 * std::max(OfGpu::enough_tasks, OfCpu::enough_tasks);
/// The same of rows of `length`: none where they are too short to be cut.
inline std::size_t most_pieces(std::size_t length, std::size_t element_bytes) {
  constexpr std::size_t least = std::min(OfGpu::least_piece_bytes, OfCpu::least_piece_bytes);
  return length * element_bytes < 2 * least ? 0 : most_pieces_of_any;
}

/// The sums of the terms of all pieces, partial[i * pieces + p] that of piece p of row i. Tasks lie
/// piece by piece: the shorter ones, the last of each row, are at the end. Row i is where a.row(i)
/// points.
template <class Exec, int lanes, class P, class A, class Term>
struct PieceSums {
  using T = typename P::Number;
  using Member = typename detail::Teams<Exec, 4>::member_type;

  A a;
  std::size_t rows, length;
  Term term;
  RowPlan plan;
  T* partial;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t whole = (plan.pieces - 1) * rows;
    const std::size_t begin = std::size_t(team.league_rank()) * plan.rows_per_team;
    const std::size_t end = Kokkos::min(begin + plan.rows_per_team, plan.pieces * rows);
    T* const scratch = detail::scratch_of<T, Constants<Exec>::team_threads>(team);
    sum_tasks(team, begin, Kokkos::min(end, whole), plan.piece_length, scratch);
    detail::before_next_sum(team);
    sum_tasks(team, Kokkos::max(begin, whole), end, length - (plan.pieces - 1) * plan.piece_length,
              scratch);
  }

private:
  KOKKOS_FUNCTION void sum_tasks(const Member& team, std::size_t begin, std::size_t end,
                                 std::size_t n, T* scratch) const {
    if (begin >= end) return;
    sum_rows<lanes, P>(
        team, end - begin,
        [&](std::size_t i) {
          const unsigned task = unsigned(begin + i), piece = task / unsigned(rows);
          const std::size_t place = piece * plan.piece_length;
          return Row<T>{a.row(task - piece * unsigned(rows)) + place, place};
        },
        n, term, scratch,
        [&](std::size_t i, std::size_t apart, const auto& sums) {
          for (int k = 0; k < sums.size; ++k) {
            const unsigned task = unsigned(begin + i + k * apart), piece = task / unsigned(rows);
            partial[(task - piece * unsigned(rows)) * plan.pieces + piece] = sums.get(k);
          }
        });
  }
};

/// Calls f with the constants of `plan`, the lanes and the pack. `aligned`: as in with_pack().
template <class Exec, class T, class F>
void with_lanes_and_pack(const RowPlan& plan, bool aligned, const F& f) {
  with_pack<Exec, T>(plan.piece_length, aligned, [&](auto pack) {
    if constexpr (Constants<Exec>::vector_lanes == 1)
      f(std::integral_constant<int, 1>(), pack);
    else
      detail::with_constant<1, 4, 16, 32>(plan.lanes, [&](auto lanes) { f(lanes, pack); });
  });
}

/// Launches PieceSums; asynchronous on `exec`.
template <class Exec, class T, class A, class Term>
void sum_pieces(const char* label, const Exec& exec, const A& a, std::size_t rows,
                std::size_t length, bool aligned, const Term& term, const RowPlan& plan,
                T* partial) {
  with_lanes_and_pack<Exec, T>(plan, aligned, [&](auto lanes, auto pack) {
    Kokkos::parallel_for(
        label,
        detail::summing_teams<T, 4>(exec, detail::ceil_div(rows * plan.pieces, plan.rows_per_team)),
        PieceSums<Exec, lanes, decltype(pack), A, Term>{a, rows, length, term, plan, partial});
  });
}

} // namespace ado::one
