// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rungs of transpose, portable and native, load and store. `widest`: bytes of the widest
// access to one element; Kokkos moves 16-byte elements as two halves.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/registry/access_pattern.hpp>
#include <ado/registry/algorithm.hpp>

#include <algorithm>

namespace ado::bench::transpose_accesses {

/// Accesses to a, or to b with `of_b`, by the lanes of a warp. The lanes stand side by side in a
/// row of a, or in a row of b with `along_b`. Each lane has one element.
inline Access elements(const Shape& s, Type type, std::size_t widest, bool of_b, bool along_b) {
  const std::size_t rows = s[0], columns = s[1], bytes = size_of(type);
  const std::size_t width = std::min(bytes, widest), parts = bytes / width;
  const std::size_t length = along_b ? rows : columns, others = along_b ? columns : rows;
  const std::size_t warps_a_row = ceil_div(length, warp_lanes);
  return {of_b ? "b" : "a",
          Space::global,
          of_b ? Direction::store : Direction::load,
          width,
          others * warps_a_row,
          parts,
          [=](std::size_t warp, std::size_t lane, std::size_t part) {
            const std::size_t across = warp % warps_a_row * warp_lanes + lane;
            if (across >= length) return idle;
            const std::size_t i = along_b ? across : warp / warps_a_row;
            const std::size_t j = along_b ? warp / warps_a_row : across;
            return (of_b ? j * rows + i : i * columns + j) * bytes + part * width;
          }};
}

/// Lane = an element, neighbours in a row of a.
inline std::vector<Access> flat(const Shape& s, Type type, std::size_t widest) {
  return {elements(s, type, widest, false, false), elements(s, type, widest, true, false)};
}
/// The same with neighbours in a row of b.
inline std::vector<Access> flat_write(const Shape& s, Type type, std::size_t widest) {
  return {elements(s, type, widest, false, true), elements(s, type, widest, true, true)};
}

/// A tile of 32 x 32 elements in scratch, `padding` elements between its rows: stored row by row,
/// or loaded column by column.
inline Access tile(const Shape& s, Type type, std::size_t widest, std::size_t padding,
                   Direction direction) {
  const std::size_t rows = s[0], columns = s[1], bytes = size_of(type);
  const std::size_t width = std::min(bytes, widest), parts = bytes / width;
  const std::size_t down = ceil_div(rows, warp_lanes), across = ceil_div(columns, warp_lanes);
  return {"the tile",
          Space::shared,
          direction,
          width,
          down * across,
          warp_lanes * parts,
          [=](std::size_t tile, std::size_t lane, std::size_t step) {
            std::size_t i = step / parts, j = lane;
            if (direction == Direction::load) std::swap(i, j);
            const bool inside =
                tile % down * warp_lanes + i < rows && tile / down * warp_lanes + j < columns;
            return inside ? (i * (warp_lanes + padding) + j) * bytes + step % parts * width : idle;
          }};
}

/// Warp = rows of the tile, first of a, then of b.
inline std::vector<Access> tiled(const Shape& s, Type type, std::size_t widest,
                                 std::size_t padding) {
  return {elements(s, type, widest, false, false), tile(s, type, widest, padding, Direction::store),
          tile(s, type, widest, padding, Direction::load), elements(s, type, widest, true, true)};
}

/// One side of `blocked`. Lane = a block whose rows are 16 bytes long; a warp has 8 x 4 blocks.
inline Access blocks(const Shape& s, Type type, bool of_b) {
  constexpr std::size_t wide = 16, lanes_down = 8, lanes_across = warp_lanes / lanes_down;
  const std::size_t rows = s[0], columns = s[1], bytes = size_of(type);
  const std::size_t side = bytes == 16 ? 2 : wide / bytes;
  const bool aligned = rows * bytes % wide == 0 && columns * bytes % wide == 0;
  const std::size_t width = aligned ? wide : bytes, parts = side * bytes / width;
  const std::size_t down = ceil_div(rows, lanes_down * side);
  return {of_b ? "b" : "a",
          Space::global,
          of_b ? Direction::store : Direction::load,
          width,
          down * ceil_div(columns, lanes_across * side),
          side * parts,
          [=](std::size_t warp, std::size_t lane, std::size_t step) {
            std::size_t i = (warp % down * lanes_down + lane % lanes_down) * side;
            std::size_t j = (warp / down * lanes_across + lane / lanes_down) * side;
            (of_b ? j : i) += step / parts;
            (of_b ? i : j) += step % parts * width / bytes;
            if (i >= rows || j >= columns) return idle;
            return (of_b ? j * rows + i : i * columns + j) * bytes;
          }};
}
inline std::vector<Access> blocked(const Shape& s, Type type) {
  return {blocks(s, type, false), blocks(s, type, true)};
}

} // namespace ado::bench::transpose_accesses
