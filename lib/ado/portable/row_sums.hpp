// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums along rows, in one source for all backends. Begin with sum_rows(): a thread of a team takes a few rows at a time,
// its lanes stand side by side in them, and each lane adds packs.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/row_plan.hpp>
#include <ado/portable/packs.hpp>
#include <ado/portable/sum.hpp>

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

/// The terms of a plain sum, and of a dot product, and how many numbers each is made of. `read` gets the numbers at the
/// same place of another row.
struct Itself {
  static constexpr int numbers = 1;
  template <class P, class Read>
  KOKKOS_INLINE_FUNCTION P operator()(const P& values, const Read&) const {
    return values;
  }
};
template <class T>
struct Times {
  static constexpr int numbers = 2;
  const T* x;
  template <class P, class Read>
  KOKKOS_INLINE_FUNCTION P operator()(const P& values, const Read& read) const {
    return values * read(x);
  }
};

/// Adds one lane's share of the n numbers of some rows to `sum`: its packs lie `lanes` packs apart. All that it can have
/// in flight it asks for before it adds the first.
template <int lanes, int in_flight, class P, int rows, class T, class Index, class Term>
KOKKOS_INLINE_FUNCTION void add_share(Index lane, const Row<T> (&row)[rows], Index n,
                                      const Term& term, P (&sum)[rows]) {
  constexpr Index size = P::size, step = lanes * size;
  const Index packs = n / size;
  P loaded[in_flight][rows];
  const auto ask = [&](int slot, Index at) {
    ADO_UNROLL
    for (int r = 0; r < rows; ++r)
      loaded[slot][r] = load<P>(row[r].from + at);
  };
  const auto add = [&](int slot, Index at) {
    ADO_UNROLL
    for (int r = 0; r < rows; ++r)
      sum[r] +=
          term(loaded[slot][r], [&](const T* from) { return load<P>(from + row[r].place + at); });
  };
  Index first = 0;
  ADO_UNROLL_BY(1)
  for (; packs - first >= Index{in_flight} * lanes; first += in_flight * lanes) {
    ADO_UNROLL
    for (int u = 0; u < in_flight; ++u)
      ask(u, (first + lane) * size + u * step);
    ADO_UNROLL
    for (int u = 0; u < in_flight; ++u)
      add(u, (first + lane) * size + u * step);
  }
  // Packs that are fewer than that: so many for each lane, and one more for the first lanes.
  const Index left = packs - first, whole = left / lanes, at = (first + lane) * size;
  const bool one_more = lane < left % lanes;
  if constexpr (in_flight > 1)
    detail::by_powers<in_flight / 2>(
        static_cast<unsigned>(whole),
        [&](int slot, unsigned u, int k) { ask(slot, at + (u + k) * step); });
  if (one_more) ask(in_flight - 1, at + whole * step);
  if constexpr (in_flight > 1)
    detail::by_powers<in_flight / 2>(
        static_cast<unsigned>(whole),
        [&](int slot, unsigned u, int k) { add(slot, at + (u + k) * step); });
  if (one_more) add(in_flight - 1, at + whole * step);
  if constexpr (size > 1)
    if (packs * size < n && lane == packs % lanes) { // what no pack holds
      ADO_UNROLL
      for (int r = 0; r < rows; ++r)
        sum[r] += term(load_rest<P>(row[r].from, packs * size, n), [&](const T* from) {
          return load_rest<P>(from + row[r].place, packs * size, n);
        });
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
    P values, others;
    ADO_UNROLL
    for (int r = 0; r < rows; ++r)
      values.set(r, row[r].from[k]);
    sum += term(values, [&](const T* from) {
      ADO_UNROLL
      for (int r = 0; r < rows; ++r)
        others.set(r, from[row[r].place + k]);
      return others;
    });
  }
  return sum;
}

/// The sums of the terms of some rows of n numbers, by the lanes of a thread.
template <int lanes, class P, int rows, class Team, class T, class Term>
KOKKOS_INLINE_FUNCTION Pack<T, rows> sums_of(const Team& team, const Row<T> (&row)[rows],
                                             std::size_t n, const Term& term) {
  using C = Constants<typename Team::execution_space>;
  using Index = typename C::Index;
  if constexpr (C::rows_at_once > 1 && lanes == 1 && P::size == 1) {
    return sums_side_by_side(row, Index(n), term);
  } else {
    constexpr int in_flight =
        Kokkos::max(1, C::loads_in_flight(P::size) / (C::rows_at_once * Term::numbers));
    Pack<T, rows> sums{};
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, lanes),
        [&](int lane, Pack<T, rows>& total) {
          P sum[rows] = {};
          add_share<lanes, in_flight>(Index(lane), row, Index(n), term, sum);
          ADO_UNROLL
          for (int r = 0; r < rows; ++r)
            total.set(r, total.get(r) + sum_of_slots(sum[r]));
        },
        sums);
    return sums;
  }
}

/// Calls use(i, apart, sums) for the rows i < count of n numbers; row(i) is a Row. A team's threads share the rows, and
/// all lanes of a thread get its sums, as a pack of those that it has at once, i, i + apart, ... The order of additions in a
/// row does not depend on its place.
template <int lanes, class P, class Team, class RowOf, class Term, class Use>
KOKKOS_INLINE_FUNCTION void sum_rows(const Team& team, std::size_t count, const RowOf& row,
                                     std::size_t n, const Term& term, const Use& use) {
  using T = typename P::Number;
  constexpr int rows = Constants<typename Team::execution_space>::rows_at_once;
  const std::size_t apart = count / rows;
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, apart), [&](std::size_t i) {
    Row<T> of[rows];
    ADO_UNROLL
    for (int r = 0; r < rows; ++r)
      of[r] = row(i + r * apart);
    use(i, apart, sums_of<lanes, P>(team, of, n, term));
  });
  if constexpr (rows > 1)
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows * apart, count), [&](std::size_t i) {
      const Row<T> of[1] = {row(i)};
      use(i, 0, sums_of<lanes, P>(team, of, n, term));
    });
}

/// How rows spread over teams: a function of the shape alone, so that every machine of a kind gives the same bits.
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

/// Numbers that the pieces of any rows of `length` need at most, on any backend: none where rows are too short to be cut.
inline std::size_t most_pieces(std::size_t length, std::size_t element_bytes) {
  constexpr std::size_t least = std::min(OfGpu::least_piece_bytes, OfCpu::least_piece_bytes);
  return length * element_bytes < 2 * least ? 0 : 2 * OfGpu::enough_tasks;
}

/// The sums of the terms of all pieces, partial[i * pieces + p] that of piece p of row i. Tasks lie piece by piece: the
/// shorter ones, the last of each row, are at the end. Row i is where a.row(i) points.
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
    sum_tasks(team, begin, Kokkos::min(end, whole), plan.piece_length);
    sum_tasks(team, Kokkos::max(begin, whole), end, length - (plan.pieces - 1) * plan.piece_length);
  }

private:
  KOKKOS_FUNCTION void sum_tasks(const Member& team, std::size_t begin, std::size_t end,
                                 std::size_t n) const {
    if (begin >= end) return;
    sum_rows<lanes, P>(
        team, end - begin,
        [&](std::size_t i) {
          const unsigned task = unsigned(begin + i), piece = task / unsigned(rows);
          const std::size_t place = piece * plan.piece_length;
          return Row<T>{a.row(task - piece * unsigned(rows)) + place, place};
        },
        n, term,
        [&](std::size_t i, std::size_t apart, const auto& sums) {
          Kokkos::single(Kokkos::PerThread(team), [&] {
            for (int k = 0; k < sums.size; ++k) {
              const unsigned task = unsigned(begin + i + k * apart), piece = task / unsigned(rows);
              partial[(task - piece * unsigned(rows)) * plan.pieces + piece] = sums.get(k);
            }
          });
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
        detail::teams<4>(exec, detail::ceil_div(rows * plan.pieces, plan.rows_per_team), lanes),
        PieceSums<Exec, lanes, decltype(pack), A, Term>{a, rows, length, term, plan, partial});
  });
}

} // namespace ado::one
