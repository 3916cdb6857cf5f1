// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rungs of average_mv, portable and native, load from and store to global memory. The
// means in scratch are left out: all lanes read the same one, or neighbouring ones.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/registry/access_pattern.hpp>
#include <ado/registry/algorithm.hpp>

namespace ado::bench::average_mv_accesses {

/// Lane = a vector of a set, from m = 0 up.
inline Access v_by_threads(const Shape& s, Type type) {
  const std::size_t sets = s[0], length = s[1], count = s[2];
  const std::size_t bytes = size_of(type), warps_a_set = ceil_div(length, warp_lanes);
  return {"v",
          Space::global,
          Direction::load,
          bytes,
          sets * warps_a_set,
          count,
          [=](std::size_t warp, std::size_t lane, std::size_t m) {
            const std::size_t n = warp / warps_a_set, l = warp % warps_a_set * warp_lanes + lane;
            return l < length ? ((n * length + l) * count + m) * bytes : idle;
          }};
}

/// Warp = a vector, its lanes side by side in m.
inline Access v_by_lanes(const Shape& s, Type type) {
  return rows_by_lanes("v", s[0] * s[1], s[2], size_of(type), warp_lanes);
}

/// Lane = a row of a, which every set reads anew.
inline Access a_by_threads(const Shape& s, Type type) {
  const std::size_t sets = s[0], length = s[1];
  const std::size_t bytes = size_of(type), warps_a_set = ceil_div(length, warp_lanes);
  return {"a",
          Space::global,
          Direction::load,
          bytes,
          sets * warps_a_set,
          length,
          [=](std::size_t warp, std::size_t lane, std::size_t j) {
            const std::size_t i = warp % warps_a_set * warp_lanes + lane;
            return i < length ? (i * length + j) * bytes : idle;
          }};
}

/// Warp = a row of a, its lanes side by side in j.
inline Access a_by_lanes(const Shape& s, Type type) {
  const std::size_t sets = s[0], length = s[1];
  const std::size_t bytes = size_of(type);
  return {"a",
          Space::global,
          Direction::load,
          bytes,
          sets * length,
          ceil_div(length, warp_lanes),
          [=](std::size_t warp, std::size_t lane, std::size_t step) {
            const std::size_t i = warp % length, j = step * warp_lanes + lane;
            return j < length ? (i * length + j) * bytes : idle;
          }};
}

/// Lane = an element of column n of y.
inline Access y_by_threads(const Shape& s, Type type) {
  const std::size_t sets = s[0], length = s[1];
  const std::size_t bytes = size_of(type), warps_a_set = ceil_div(length, warp_lanes);
  return {"y",
          Space::global,
          Direction::store,
          bytes,
          sets * warps_a_set,
          1,
          [=](std::size_t warp, std::size_t lane, std::size_t) {
            const std::size_t n = warp / warps_a_set, i = warp % warps_a_set * warp_lanes + lane;
            return i < length ? (i * sets + n) * bytes : idle;
          }};
}

/// Warp = an element of y, which its first lane stores.
inline Access y_by_warps(const Shape& s, Type type) {
  const std::size_t sets = s[0], length = s[1];
  const std::size_t bytes = size_of(type);
  return {"y",
          Space::global,
          Direction::store,
          bytes,
          sets * length,
          1,
          [=](std::size_t warp, std::size_t lane, std::size_t) {
            return lane == 0 ? (warp % length * sets + warp / length) * bytes : idle;
          }};
}
/// Of teams that have a set each, and whose lanes stand side by side in its vectors and in rows of
/// a.
inline std::vector<Access> sets_by_lanes(const Shape& s, Type type) {
  return {v_by_lanes(s, type), a_by_lanes(s, type), y_by_warps(s, type)};
}

/// Lane = a set, whose means are in the workspace: its vectors one after the other, then its column
/// of y.
inline std::vector<Access> set_per_thread(const Shape& s, Type type) {
  const std::size_t sets = s[0], length = s[1], count = s[2];
  const std::size_t bytes = size_of(type), warps = ceil_div(sets, warp_lanes);
  const auto means = [=](std::size_t warp, std::size_t lane, std::size_t step) {
    const std::size_t n = warp * warp_lanes + lane;
    return n < sets ? (n * length + step % length) * bytes : idle;
  };
  return {rows_by_lanes("v", sets, length * count, bytes, 1),
          {"means", Space::global, Direction::store, bytes, warps, length, means},
          {"means", Space::global, Direction::load, bytes, warps, length * length, means},
          broadcast("a", warps, length * length, bytes),
          {"y", Space::global, Direction::store, bytes, warps, length,
           [=](std::size_t warp, std::size_t lane, std::size_t i) {
             const std::size_t n = warp * warp_lanes + lane;
             return n < sets ? (i * sets + n) * bytes : idle;
           }}};
}

} // namespace ado::bench::average_mv_accesses
