// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rungs of average, portable and native, load from and store to global memory.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/row_plan.hpp>
#include <ado/registry/access_pattern.hpp>
#include <ado/registry/algorithm.hpp>

#include <algorithm>
#include <vector>

namespace ado::bench::average_accesses {

/// Lane = a vector of v, from m = 0 up; neighbouring lanes store neighbouring means.
inline std::vector<Access> vector_per_thread(const Shape& s, Type type) {
  const std::size_t rows = s[0] * s[1], bytes = size_of(type);
  return {rows_by_lanes("v", rows, s[2], bytes, 1),
          {"mean", Space::global, Direction::store, bytes, ceil_div(rows, warp_lanes), 1,
           [=](std::size_t warp, std::size_t lane, std::size_t) {
             const std::size_t row = warp * warp_lanes + lane;
             return row < rows ? row * bytes : idle;
           }}};
}

/// `lanes` lanes share a vector. They read it in packs of 16 bytes if all vectors start on a
/// 16-byte boundary. The first lane stores the mean. If `lanes` is more than a warp has, the warps
/// that share a vector read as one warp does, and their sums are left out.
inline std::vector<Access> vector_by_lanes(const Shape& s, Type type, std::size_t lanes) {
  const std::size_t rows = s[0] * s[1], bytes = size_of(type);
  const std::size_t width = s[2] * bytes % 16 == 0 ? 16 / bytes : 1;
  const Access v =
      rows_by_lanes("v", rows, s[2], bytes, lanes < warp_lanes ? lanes : warp_lanes, width);
  if (lanes > warp_lanes) return {v};
  return {v,
          {"mean", Space::global, Direction::store, bytes, v.warps, 1,
           [=](std::size_t warp, std::size_t lane, std::size_t) {
             const std::size_t row = (warp * warp_lanes + lane) / lanes;
             return lane % lanes == 0 && row < rows ? row * bytes : idle;
           }}};
}

/// The same with the lanes of `team`.
inline std::vector<Access> vector_of_team(const Shape& s, Type type) {
  const int lanes =
      std::min(detail::device_lanes(s[2], size_of(type)), detail::device_vector_lanes);
  return vector_by_lanes(s, type, static_cast<std::size_t>(lanes));
}

} // namespace ado::bench::average_accesses
