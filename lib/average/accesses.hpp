// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rungs of average, portable and native, load from and store to global memory.
#pragma once

#include <ado/core/access_pattern.hpp>
#include <ado/core/algorithm.hpp>
#include <ado/core/checks.hpp>

namespace ado::average_accesses {

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

} // namespace ado::average_accesses
