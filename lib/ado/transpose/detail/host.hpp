// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One tile of a transpose on one CPU core; begin at the end, with transpose_strip(). Blocks are transposed
// in SIMD registers. A buffer in cache collects whole cache lines of b, and those go to memory without
// being read first. Meanwhile the lines of the next tile are prefetched: no hardware prefetcher foresees
// them.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/elements.hpp>
#include <ado/host/streamed_stores.hpp>
#include <ado/transpose/detail/plan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ado::detail::host_tile {

/// Elements of a cache line.
template <class E>
inline constexpr std::size_t line = 64 / sizeof(E);

/// A tile of a is 256 bytes of each of its rows and becomes 256 bytes of each row of b. Share of a copy's
/// speed, i32, Intel Xeon (model 207): 1.06 on 16 cores, 1.08 on 4, 0.96 on one (0.74 without
/// prefetching); with 512 bytes 0.98, 0.85 and 0.68. AMD EPYC (Zen 3), 2 cores: 0.86, 0.5 without
/// prefetching. Rows of exactly 64 KiB reach 0.4 to 0.7: all lines of a tile share few cache sets and
/// memory banks.
template <class E>
inline constexpr std::size_t side = 256 / sizeof(E);
/// Distance between rows of the buffer: the extra line keeps a column from falling into one cache set.
template <class E>
inline constexpr std::size_t buffer_stride = side<E> + line<E>;
template <class E>
inline constexpr std::size_t buffer_bytes = side<E>* buffer_stride<E> * sizeof(E);

// nvcc garbles the indices of the shuffle when it passes it on to the host compiler.
#if defined(__has_builtin) && !defined(__CUDACC__)
#if __has_builtin(__builtin_shufflevector)
#define ADO_HAS_SHUFFLE 1
#endif
#endif

/// Lanes of 16 bytes in a register.
#if defined(__AVX2__) && defined(ADO_HAS_SHUFFLE)
#define ADO_LANES 2
#else
#define ADO_LANES 1
#endif
inline constexpr int lanes = ADO_LANES;

/// A block is as wide as a lane. Each lane of a register holds as many rows of it as it has columns.
template <class E>
inline constexpr int block_columns = 16 / sizeof(E);
template <class E>
inline constexpr int block_rows = lanes* block_columns<E>;

#ifdef ADO_HAS_SHUFFLE
template <class E>
struct Vector {
  typedef E Register __attribute__((vector_size(16 * lanes)));
};
// Vectors cannot have 16-byte elements; these move as two words.
template <>
struct Vector<Element16> : Vector<std::uint64_t> {};
// Loads and stores of registers need no alignment.
template <std::size_t bytes, std::size_t alignment>
struct Vector<LooseElement<bytes, alignment>> : Vector<ElementOfBytes<bytes>> {};

/// Interleaves the low or the high halves of two registers, lane by lane of n elements.
template <bool high, int n, class R, std::size_t... k>
R interleave(R x, R y, std::index_sequence<k...>) {
  constexpr int all = sizeof...(k);
  return __builtin_shufflevector(
      x, y, (int(k) / n * n + (high ? n / 2 : 0) + int(k) % n / 2 + (k % 2 ? all : 0))...);
}

/// One register from as many rows as it has lanes, `step` elements apart.
template <class E>
typename Vector<E>::Register load_lanes(const E* from, std::size_t step) {
#if ADO_LANES == 2
  const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + step));
  return (typename Vector<E>::Register)_mm256_inserti128_si256(_mm256_castsi128_si256(low), high,
                                                               1);
#else
  static_cast<void>(step);
  typename Vector<E>::Register row;
  std::memcpy(&row, from, sizeof row);
  return row;
#endif
}

/// Interleaves row r with row r + k/2 for all r: after log2(k) times, the rows are the columns.
template <class E, int rounds, class R, std::size_t... r>
void turn_rows(R* row, std::index_sequence<r...> half) {
  constexpr int k = block_columns<E>;
  constexpr auto all = std::make_index_sequence<sizeof(R) / sizeof(E)>{};
  const R next[k] = {(r % 2 == 0 ? interleave<false, k>(row[r / 2], row[r / 2 + k / 2], all)
                                 : interleave<true, k>(row[r / 2], row[r / 2 + k / 2], all))...};
  ((row[r] = next[r]), ...);
  if constexpr (rounds > 1) turn_rows<E, rounds / 2>(row, half);
}
#endif

/// to[j * to_stride + i] = from[i * from_stride + j] for one block.
template <class E>
void transpose_block(const E* from, std::size_t from_stride, E* to, std::size_t to_stride) {
  constexpr int k = block_columns<E>;
#ifdef ADO_HAS_SHUFFLE
  [&]<std::size_t... r>(std::index_sequence<r...>) {
    typename Vector<E>::Register row[k] = {load_lanes(from + r * from_stride, k * from_stride)...};
    if constexpr (k > 1) turn_rows<E, k / 2>(row, std::make_index_sequence<k>{});
    (std::memcpy(to + r * to_stride, &row[r], sizeof row[r]), ...);
  }
  (std::make_index_sequence<k>{});
#else
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j)
      to[j * to_stride + i] = from[i * from_stride + j];
#endif
}

/// Copies one row of the buffer to b. If it bypasses the cache, b must be aligned to 64 bytes and a row
/// must be a multiple of 16 bytes.
inline void store_row(void* to, const void* from, std::size_t bytes, bool past_cache) {
  if (!past_cache) {
    std::memcpy(to, from, bytes);
    return;
  }
  stream_bytes(static_cast<std::byte*>(to), static_cast<const std::byte*>(from), bytes);
}

/// Whether rows of b may be streamed: whole cache lines, and b large.
template <class E>
bool may_stream(const Matrices<E>& m) {
  const bool whole_lines = reinterpret_cast<std::uintptr_t>(m.b) % 64 == 0 &&
                           m.ldb * sizeof(E) % 64 == 0 && m.rows * sizeof(E) % 16 == 0;
  return whole_lines && m.rows * m.columns * sizeof(E) >= streamed_bytes;
}

/// Row and column of a tile's first element.
struct Place {
  std::size_t i, j;
};

/// The order of tiles: along the rows of a, each row of tiles starting one tile further than the previous
/// one. Threads are rows of tiles apart, so they are not all at the same columns at once. In matrices
/// whose rows are a power of two long, that would cause conflicts in memory.
template <class E>
Place place_of_tile(const Matrices<E>& m, std::size_t tile) {
  const std::size_t across = ceil_div(m.columns, side<E>);
  const std::size_t row = tile / across;
  return {row * side<E>, (tile + row) % across * side<E>};
}
template <class E>
std::size_t tile_count(const Matrices<E>& m) {
  return ceil_div(m.rows, side<E>) * ceil_div(m.columns, side<E>);
}

/// Fills the buffer with the tile at `at`, transposed.
template <class E>
void turn_tile(const Matrices<E>& m, Place at, std::size_t height, std::size_t width, E* buffer) {
  constexpr std::size_t tall = block_rows<E>, wide = block_columns<E>;
  const E* tile = m.a + at.i * m.lda + at.j;
  const std::size_t whole_height = height - height % tall, whole_width = width - width % wide;
  for (std::size_t i = 0; i < whole_height; i += tall)
    for (std::size_t j = 0; j < whole_width; j += wide)
      transpose_block(tile + i * m.lda + j, m.lda, buffer + j * buffer_stride<E> + i,
                      buffer_stride<E>);
  for (std::size_t i = 0; i < height; ++i)
    for (std::size_t j = i < whole_height ? whole_width : 0; j < width; ++j)
      buffer[j * buffer_stride<E> + i] = tile[i * m.lda + j];
}

/// Prefetches a tile's part of row i, from column j on, if there is such a row. (Always inline: gcc would
/// find that a call has no effect, and drop it.)
template <class E>
[[gnu::always_inline]] inline void prefetch_row(const Matrices<E>& m, std::size_t i,
                                                std::size_t j) {
  if (i >= m.rows) return;
  const std::size_t end = std::min(j + side<E>, m.columns);
  for (; j < end; j += line<E>)
    __builtin_prefetch(m.a + i * m.lda + j, 0, 2);
}

/// Tiles that one thread takes at a time.
inline constexpr std::size_t tiles_per_strip = 16;

/// Number of strips of a whole transpose; each is transposed by transpose_strip.
template <class E>
std::size_t strip_count(const Matrices<E>& m) {
  return ceil_div(tile_count(m), tiles_per_strip);
}

/// Transposes one strip. `buffer` holds buffer_bytes<E>, aligned to 64 bytes.
template <class E>
void transpose_strip(const Matrices<E>& m, std::size_t strip, E* buffer, bool stream) {
  const std::size_t tiles = tile_count(m), first = strip * tiles_per_strip;
  for (std::size_t tile = first; tile < std::min(first + tiles_per_strip, tiles); ++tile) {
    const Place at = place_of_tile(m, tile), next = place_of_tile(m, tile + 1);
    const std::size_t height = std::min(side<E>, m.rows - at.i);
    const std::size_t width = std::min(side<E>, m.columns - at.j);
    turn_tile(m, at, height, width, buffer);
    for (std::size_t j = 0; j < width; ++j) {
      prefetch_row(m, next.i + j, next.j); // as many rows as columns
      store_row(m.b + (at.j + j) * m.ldb + at.i, buffer + j * buffer_stride<E>, height * sizeof(E),
                stream);
    }
  }
  if (stream) stream_fence();
}

} // namespace ado::detail::host_tile
