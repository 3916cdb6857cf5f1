// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rungs of average_mv that give whole sets to a team have in common, portable and native:
// how large the team is, where it keeps the means of its set, and how many roundings its sums have.
#pragma once

#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/core/row_plan.hpp>
#include <ado/registry/types.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::bench {

/// The most scratch that a team asks for; every backend has that much.
inline constexpr std::size_t most_set_scratch = std::size_t{32} * 1024;
/// The most threads of a team on a GPU, all lanes counted.
inline constexpr std::size_t most_set_threads = 1024;

/// A thread for each vector of a set, as far as a GPU's team goes.
inline int threads_for_length(std::size_t length) {
  constexpr std::size_t warp = device_vector_lanes;
  return static_cast<int>(std::clamp(round_up(length, warp), warp, most_set_threads));
}

/// Bytes of scratch for the means of a set of `length` vectors, next to `sums` more elements; 0:
/// too many, so each team has a row of the workspace for the means instead.
constexpr std::size_t means_scratch_bytes(std::size_t length, std::size_t element_bytes,
                                          std::size_t sums = 0) {
  return length <= most_set_scratch / element_bytes - sums ? length * element_bytes : 0;
}
inline std::size_t means_workspace_bytes(std::size_t teams, std::size_t length,
                                         std::size_t element_bytes, std::size_t sums = 0) {
  if (means_scratch_bytes(length, element_bytes, sums) != 0) return 0;
  return checked_product({teams, length, element_bytes}, "average_mv: workspace");
}

/// Roundings on the longest path if `mean_lanes` lanes share the sum over the `count` elements of a
/// vector, and `row_lanes` lanes the sum over the `length` products of a row. Lanes beyond the end
/// add zeros, which is exact. The first addition is to 0 and does not count. The division and the
/// conversion of its divisor to the type count as two.
inline double set_rounding_steps(std::size_t length, std::size_t count, std::size_t mean_lanes,
                                 std::size_t row_lanes) {
  mean_lanes = std::clamp<std::size_t>(count, 1, mean_lanes);
  row_lanes = std::clamp<std::size_t>(length, 1, row_lanes);
  const double additions = double(ceil_div(std::max<std::size_t>(count, 1), mean_lanes)) - 1;
  const double multiply_adds = double(ceil_div(length, row_lanes));
  return additions + tree_depth(mean_lanes) + 2 + multiply_adds + tree_depth(row_lanes);
}

} // namespace ado::bench
