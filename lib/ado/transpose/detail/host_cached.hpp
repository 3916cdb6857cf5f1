// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transpose on a CPU whose output is not too large for its caches: blocks go from registers to b.
#pragma once

#include <ado/transpose/detail/host_block.hpp>
#include <ado/transpose/detail/host_thin.hpp>
#include <ado/transpose/detail/plan.hpp>
#include <ado/transpose/detail/plan_host.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::detail::host_tile {

/// Prefetches what a cold cache lacks: a line of each of some rows of a, and the rows of b that a
/// block's columns become. (Always inline: gcc would find that a call has no effect, and drop it.)
template <class E>
[[gnu::always_inline]] inline void prefetch_lines_of_a(const Matrices<E>& m, std::size_t i,
                                                       std::size_t end, std::size_t j) {
  for (; i < end; ++i)
    __builtin_prefetch(m.a + i * m.lda + j, 0, 3);
}
template <class E>
[[gnu::always_inline]] inline void prefetch_rows_of_b(const Matrices<E>& m, const Part& part) {
  if (part.height == 0) return;
  for (std::size_t j = part.j; j < part.j + part.width; ++j) {
    const E* const row = m.b + j * m.ldb + part.i;
    for (std::size_t i = 0; i < part.height; i += line<E>)
      __builtin_prefetch(row + i, 1, 3);
    __builtin_prefetch(row + part.height - 1, 1, 3);
  }
}

/// Transposes some rows of a part: column of blocks by column of blocks, each from top to bottom.
/// The last blocks overlap those before them. Meanwhile what comes next is prefetched; `under` rows
/// stand below these. (By value: a store to b might change what a reference refers to.)
template <class E>
void transpose_tile(const Matrices<E> m, const Part tile, std::size_t under) {
  constexpr std::size_t tall = block_rows<E>, wide = block_columns<E>;
  constexpr std::size_t ahead_in_a = 256 / sizeof(E), ahead_in_b = 4 * wide;
  constexpr std::size_t steps = line<E> / wide; // in which a goes one line further
  const std::size_t right = tile.j + tile.width, bottom = tile.i + tile.height;
  /// Rows and a column that are so far ahead, in this tile or the one below.
  const auto ahead = [&](std::size_t j, std::size_t distance) -> Part {
    const std::size_t at = j + distance;
    if (at < right) return {tile.i, at, tile.height, std::min(wide, right - at)};
    const std::size_t back = at - tile.width;
    if (back >= right) return {bottom, right, 0, 0};
    return {bottom, back, under, std::min(wide, right - back)};
  };
  for (std::size_t j = tile.j, step = 0; j < right; j += wide, ++step) {
    prefetch_rows_of_b(m, ahead(j, ahead_in_b));
    const Part next = ahead(j, ahead_in_a);
    prefetch_lines_of_a(m, next.i + next.height * (step % steps) / steps,
                        next.i + next.height * (step % steps + 1) / steps, next.j);
    const std::size_t left = std::min(j, right - wide);
    const E* from = m.a + tile.i * m.lda + left;
    E* to = m.b + left * m.ldb + tile.i;
    const std::size_t down = tall * m.lda;
    std::size_t rows = tile.height;
#pragma GCC unroll 4
    for (; rows >= tall; rows -= tall, from += down, to += tall)
      transpose_block(from, m.lda, to, m.ldb);
    if (rows > 0) transpose_block(from - (tall - rows) * m.lda, m.lda, to - (tall - rows), m.ldb);
  }
}

/// Transposes a part, tile by tile.
template <class E>
void transpose_cached(const Matrices<E>& m, const Part& part) {
  if (is_thin(m)) return transpose_thin(m, part);
  const std::size_t most = rows_of_tile(m), end = part.i + part.height;
  for (std::size_t i = part.i, height; i < end; i += height) {
    height = end - i < most + block_rows<E> ? end - i : most;
    transpose_tile(m, {i, part.j, height, part.width}, std::min(most, end - i - height));
  }
}

} // namespace ado::detail::host_tile
