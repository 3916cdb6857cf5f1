// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Additions on the longest path from a term to a sum, for the sums of sum.hpp and team_sums.hpp: what error bounds
// count.
#pragma once

#include <ado/core/bound.hpp>
#include <ado/portable/team_sums.hpp>

#include <cstddef>

namespace ado::detail {

/// Of one of the sums of host_four_sums().
template <class T>
double host_four_sums_steps(std::size_t n) {
  constexpr std::size_t lanes = host_quarter_sums<T>;
  return n == 0 ? 0 : double(ceil_div(n, lanes)) + tree_depth(lanes);
}

/// Of host_sum().
template <class T>
double host_sum_steps(std::size_t n) {
  constexpr std::size_t lanes = host_partial_sums<T>, few = host_short_sums<T>;
  const std::size_t rounds = n / lanes;
  std::size_t rest = n % lanes;
  double of_whole = rounds == 0 ? 0 : double(rounds) + tree_depth(lanes);
  if (four_quarters_at_once<T>(n)) {
    rest = n - 4 * host_quarter<T>(n);
    of_whole = host_four_sums_steps<T>(host_quarter<T>(n)) + 2;
  }
  const double of_rest = rest == 0 ? 0 : double(ceil_div(rest, few)) + tree_depth(few);
  return (of_whole > of_rest ? of_whole : of_rest) + (of_whole > 0 && of_rest > 0 ? 1 : 0);
}

/// Of one lane's share, lane_sum().
template <class T>
double lane_sum_steps(std::size_t n, std::size_t lanes) {
  // When wide, a chain over the lane's packs, inside each of which terms are added first, and one
  // more element. When not, a chain over single elements. Never more than there are terms.
  const std::size_t wide = ceil_div(n, lanes * Pack<T>::size) + Pack<T>::size;
  const std::size_t single = ceil_div(n, lanes);
  return double(Kokkos::min(n, single > wide ? single : wide));
}
/// Of a tree over those of `lanes` that have one of n terms.
inline double lanes_tree_steps(std::size_t n, std::size_t lanes) {
  return tree_depth(n < lanes ? n : lanes);
}

/// Of a row, by host_sum_rows().
template <class T>
double host_sum_rows_steps(std::size_t count, std::size_t n) {
  return four_rows_at_once<T>(n) && count >= 4 ? detail::host_four_sums_steps<T>(n)
                                               : detail::host_sum_steps<T>(n);
}

/// Of a sum over n terms that `lanes` threads share.
template <class T, class Exec>
double shared_sum_steps(std::size_t n, int lanes) {
  if constexpr (runs_on_host<Exec>)
    return detail::host_sum_steps<T>(n);
  else
    return detail::lane_sum_steps<T>(n, lanes) + detail::lanes_tree_steps(n, lanes);
}

/// The same where the threads take theirs by thread_share.
template <class T, class Exec>
double thread_sum_steps(std::size_t count, std::size_t threads) {
  if constexpr (runs_on_host<Exec>)
    return shared_sum_steps<T, Exec>(count, 1);
  else
    return double(ceil_div(count, threads)) + detail::lanes_tree_steps(count, threads);
}

} // namespace ado::detail
