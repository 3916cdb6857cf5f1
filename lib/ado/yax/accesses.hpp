// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rungs of yax, portable and native, load from global memory. Left out: y, one number per
// row, and what the kernels leave for each other.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/registry/access_pattern.hpp>
#include <ado/registry/algorithm.hpp>

namespace ado::bench::yax_accesses {

/// Lane = a row of a, from left to right; all lanes read the same element of x.
inline std::vector<Access> row_per_thread(const Shape& s, Type type) {
  const std::size_t bytes = size_of(type);
  return {rows_by_lanes("a", s[0], s[1], bytes, 1),
          broadcast("x", ceil_div(s[0], warp_lanes), s[1], bytes)};
}

/// The same with a column-major a: neighbouring lanes read neighbouring elements of a column.
inline std::vector<Access> row_per_thread_left(const Shape& s, Type type) {
  const std::size_t rows = s[0], bytes = size_of(type), warps = ceil_div(rows, warp_lanes);
  return {{"a", Space::global, Direction::load, bytes, warps, s[1],
           [=](std::size_t warp, std::size_t lane, std::size_t j) {
             const std::size_t i = warp * warp_lanes + lane;
             return i < rows ? (j * rows + i) * bytes : idle;
           }},
          broadcast("x", warps, s[1], bytes)};
}

/// Warp = a row or a part of one; its lanes stand side by side in j, in a as in x.
inline std::vector<Access> row_per_warp(const Shape& s, Type type) {
  const std::size_t columns = s[1], bytes = size_of(type);
  const Access a = rows_by_lanes("a", s[0], columns, bytes, warp_lanes);
  return {a,
          {"x", Space::global, Direction::load, bytes, a.warps, a.steps,
           [=](std::size_t, std::size_t lane, std::size_t step) {
             const std::size_t j = step * warp_lanes + lane;
             return j < columns ? j * bytes : idle;
           }}};
}

/// The same, but x comes from scratch. Each team of `threads` threads first copies a piece of
/// `piece` elements there, its warps side by side.
inline std::vector<Access> row_per_warp_by_pieces(const Shape& s, Type type, std::size_t threads,
                                                  std::size_t rows_per_team, std::size_t piece) {
  const std::size_t columns = s[1], bytes = size_of(type), warps = threads / warp_lanes;
  const std::size_t teams = ceil_div(s[0], rows_per_team);
  const Access a = rows_by_lanes("a", s[0], columns, bytes, warp_lanes);
  const auto copied = [=](std::size_t warp, std::size_t lane, std::size_t step) {
    return (step * threads + warp % warps * warp_lanes + lane);
  };
  const auto in_piece = [=](std::size_t, std::size_t lane, std::size_t step) {
    const std::size_t j = step * warp_lanes + lane;
    return j < columns ? j % piece * bytes : idle;
  };
  return {a,
          {"x", Space::global, Direction::load, bytes, teams * warps, ceil_div(columns, threads),
           [=](std::size_t warp, std::size_t lane, std::size_t step) {
             const std::size_t j = copied(warp, lane, step);
             return j < columns ? j * bytes : idle;
           }},
          {"x", Space::shared, Direction::store, bytes, teams * warps, ceil_div(columns, threads),
           [=](std::size_t warp, std::size_t lane, std::size_t step) {
             const std::size_t j = copied(warp, lane, step);
             return j < columns ? j % piece * bytes : idle;
           }},
          {"x", Space::shared, Direction::load, bytes, a.warps, a.steps, in_piece}};
}

} // namespace ado::bench::yax_accesses
