// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Additions on the longest path from a term to a sum, for the sums of sum.hpp and team_sums.hpp:
// what error bounds count.
#pragma once

#include <ado/core/bound.hpp>
#include <ado/portable/sum.hpp>

#include <cstddef>

namespace ado::detail {

/// Of a row, by host_sum_rows(). What is added to 0 first is not rounded.
template <class T>
double host_row_steps(std::size_t n) {
  const std::size_t lanes = lanes_filled_by(n, sizeof(T));
  return double(ceil_div(n, lanes)) - (n > 0) + tree_depth(lanes);
}

/// Of host_sum(): three more add up the quarters of a long row and what is left of it.
template <class T>
double host_sum_steps(std::size_t n) {
  return host_sums_quarters<T>(n) ? host_row_steps<T>(host_quarter<T>(n)) + 3
                                  : host_row_steps<T>(n);
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
