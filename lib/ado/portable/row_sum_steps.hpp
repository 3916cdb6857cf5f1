// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Roundings on the longest path of the sums of row_sums.hpp.
#pragma once

#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/row_sums.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::one {

/// Additions in a row of n terms that `lanes` lanes share in packs of `size`: a lane's packs in
/// turn, of which the first is added to zero, then trees over slots and lanes.
inline double row_steps(std::size_t n, std::size_t lanes, std::size_t size) {
  const std::size_t packs = detail::ceil_div(n, size);
  return double(detail::ceil_div(packs, lanes)) - (n > 0) + detail::tree_depth(std::min(n, size)) +
         detail::tree_depth(std::min(packs, lanes));
}
/// The most of any alignment.
template <class Exec, class T>
double row_steps(std::size_t n, int lanes) {
  using C = Constants<Exec>;
  constexpr std::size_t most = C::pack_bytes / sizeof(T);
  const auto of_lanes = static_cast<std::size_t>(lanes);
  if (C::packs_begin_anywhere) return row_steps(n, of_lanes, n < most ? 1 : most);
  return std::max(row_steps(n, of_lanes, 1), row_steps(n, of_lanes, most));
}

/// Additions in a row by `plan`: in a piece, and of the pieces.
template <class Exec, class T>
double row_steps(const RowPlan& plan, std::size_t rows) {
  const double piece = row_steps<Exec, T>(plan.piece_length, plan.lanes);
  if (plan.pieces == 1) return piece;
  return piece +
         row_steps<Exec, T>(plan.pieces, plan_rows<Exec>(rows, plan.pieces, sizeof(T)).lanes);
}

/// Additions of a team's threads, which have a number for each of `count` rows: those of a slot in
/// turn, then the slots, then the threads.
template <class Exec>
double team_steps(std::size_t count, int lanes) {
  using C = Constants<Exec>;
  const std::size_t threads = C::team_threads / lanes, at_once = C::rows_at_once;
  const std::size_t apart = count / at_once, rest = at_once > 1 ? count % at_once : 0;
  return double(detail::ceil_div(apart, threads) + detail::ceil_div(rest, threads)) - 1 +
         detail::tree_depth(std::min(count, at_once)) +
         detail::tree_depth(std::min(std::max(apart, rest), threads));
}

} // namespace ado::one
