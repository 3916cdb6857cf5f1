// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A strip of a transpose on one CPU core; begin at the end, with transpose_strip(). Blocks turn in
// SIMD registers and go to a buffer in cache. From there whole cache lines of b go to memory, which
// need not be read first. A part of a line waits for the rows of a that follow. Meanwhile the next
// lines of a are prefetched.
#pragma once

#include <ado/host/streamed_stores.hpp>
#include <ado/host/thread_memory.hpp>
#include <ado/transpose/detail/host_block.hpp>
#include <ado/transpose/detail/host_cached.hpp>
#include <ado/transpose/detail/plan.hpp>
#include <ado/transpose/detail/plan_host.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ado::detail::host_tile {

/// Streams the lines of a row of b that `bytes` more bytes complete. These are at `from`, behind
/// the 64 bytes that precede them in b, and go to `to`. Only where the row of b begins and ends may
/// a line belong to another row, too: there an ordinary store writes just the row's bytes.
inline void stream_row(std::byte* to, const std::byte* from, std::size_t bytes, bool begins,
                       bool ends) {
  const auto line_of = [](std::byte* p) { return p - reinterpret_cast<std::uintptr_t>(p) % 64; };
  std::byte *const end = to + bytes, *const incomplete = line_of(end);
  std::byte* next = line_of(to);
  if (begins && next != to) {
    next = std::min(next + 64, end);
    std::memcpy(to, from, static_cast<std::size_t>(next - to));
  }
  for (; next < incomplete; next += 64)
    stream_line(next, from + (next - to));
  if (ends) std::memcpy(next, from + (next - to), static_cast<std::size_t>(end - next));
}

/// What a thread has in its cache. A row of it belongs to a row of b.
template <class E>
struct alignas(64) Buffer {
  /// The new elements of a row, behind a line for those before them. The extra line also keeps a
  /// column from falling into one cache set.
  static constexpr std::size_t stride = line<E> + slab_rows<E>;
  E row[block_columns<E> + turned_columns<E>][stride]; ///< the first ones: blocks that begin early
  E kept[streamed_columns<E>][line<E>]; ///< the last line of every row, until the next slab

  E* begin() { return &row[block_columns<E>][line<E>]; }
};

/// Prefetches a piece's part of row i, if there is such a row. It takes the last element of every
/// line, as the piece before had the line that this one may begin inside. (Always inline: gcc would
/// find that a call has no effect, and drop it.)
template <class E>
[[gnu::always_inline]] inline void prefetch_row(const Matrices<E>& m, std::size_t i,
                                                std::size_t j) {
  if (i >= m.rows) return;
  for (std::size_t k = line<E>; k <= piece_columns<E>; k += line<E>)
    __builtin_prefetch(m.a + i * m.lda + std::min(j + k, m.columns) - 1, 0, 2);
}

/// Transposes a piece of a slab: some columns into the buffer, then row by row to b, so that loads
/// do not wait behind stores to memory. Meanwhile the piece at `next` is prefetched. `kept` has the
/// last line of each of its rows of b. It is copied before each row of the buffer well ahead: a
/// load of what several stores have only just written waits until these reach the cache.
template <class E>
void transpose_piece(const Matrices<E>& m, const Part& piece, Place next, const Way& way,
                     Buffer<E>& buffer, E (*kept)[line<E>]) {
  constexpr std::size_t turned = turned_columns<E>;
  const bool begins = piece.i == 0, ends = piece.i + piece.height == m.rows;
  const std::size_t bytes = piece.height * sizeof(E);
  for (std::size_t j = 0, prefetched = 0; j < piece.width; ++j) {
    if (j % turned == 0) {
      const std::size_t width = std::min(turned, piece.width - j);
      for (std::size_t c = 0; way.keeps && c < width; ++c)
        std::memcpy(buffer.begin() + c * buffer.stride - line<E>, kept[j + c], 64);
      turn(m, {piece.i, piece.j + j, piece.height, width}, buffer.begin(), buffer.stride);
    }
    for (; prefetched * piece.width < (j + 1) * slab_rows<E>; ++prefetched)
      prefetch_row(m, next.i + prefetched, next.j);
    E* const row = buffer.begin() + j % turned * buffer.stride;
    E* const to = m.b + (piece.j + j) * m.ldb + piece.i;
    stream_row(reinterpret_cast<std::byte*>(to), reinterpret_cast<std::byte*>(row), bytes, begins,
               ends);
    if (way.keeps && !ends) std::memcpy(kept[j], row + piece.height - line<E>, 64);
  }
}

/// Transposes one strip.
template <class E>
void transpose_strip(const Matrices<E>& m, std::size_t strip, std::size_t threads = 1) {
  if (!may_stream(m)) return transpose_cached(m, Bands::of(m, threads).part(m, strip));
  auto& buffer = memory_of_thread<Buffer<E>>();
  const Way way = way_of(m);
  const Place first = place_of_strip(m, way, strip);
  const std::size_t bottom = std::min(first.i + way.strip_rows, m.rows);
  const std::size_t right = std::min(first.j + way.strip_columns, m.columns);
  if (way.keeps && first.i > 0)
    turn(m, {first.i - line<E>, first.j, line<E>, right - first.j}, buffer.kept[0], line<E>);
  for (std::size_t i = first.i; i < bottom; i += slab_rows<E>)
    for (std::size_t j = first.j; j < right; j += piece_columns<E>) {
      Place next{i, j + piece_columns<E>};
      if (next.j >= right) next = {i + slab_rows<E>, first.j};
      if (next.i >= bottom) next = place_of_strip(m, way, strip + 1);
      transpose_piece(
          m, {i, j, std::min(slab_rows<E>, bottom - i), std::min(piece_columns<E>, right - j)},
          next, way, buffer, buffer.kept + (j - first.j));
    }
  stream_fence();
}

} // namespace ado::detail::host_tile
