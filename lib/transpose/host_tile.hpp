// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One tile of a transpose on one CPU core: k x k blocks turn in SIMD registers, a buffer in L1
// collects whole cache lines of b, and those go to memory without being read first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include <ado/core/elements.hpp>

namespace ado::host_tile {

/// A matrix pair of a transpose: b[j * ldb + i] = a[i * lda + j].
template <class E>
struct Matrices {
  std::size_t rows, columns; ///< of a
  const E* a;
  std::size_t lda;
  E* b;
  std::size_t ldb;
};

/// Rows of a in a tile: a row of the buffer is 256 bytes of b, four cache lines.
template <class E>
inline constexpr std::size_t tile_rows = 256 / sizeof(E);
/// Columns of a in a tile: 256 bytes of each row, so that the hardware prefetcher earns its keep.
template <class E>
inline constexpr std::size_t tile_columns = 256 / sizeof(E);
template <class E>
inline constexpr std::size_t buffer_bytes = tile_rows<E>* tile_columns<E> * sizeof(E);

/// Elements of one 16-byte register: the side of a block.
template <class E>
inline constexpr int block_side = 16 / sizeof(E);

// nvcc passes the shuffle on to the host compiler with its indices spoilt.
#if defined(__has_builtin) && !defined(__CUDACC__)
#if __has_builtin(__builtin_shufflevector)
#define ADO_HAS_SHUFFLE 1
#endif
#endif

#ifdef ADO_HAS_SHUFFLE
template <class E, int n>
struct RegisterOf {
  typedef E type __attribute__((vector_size(16)));
};
/// Interleaves the low or the high halves of two registers.
template <bool high, class R, std::size_t... k>
R interleave(R x, R y, std::index_sequence<k...>) {
  constexpr int n = sizeof...(k);
  constexpr int from = high ? n / 2 : 0;
  return __builtin_shufflevector(x, y, (from + int(k) / 2 + (k % 2 ? n : 0))...);
}
#endif

/// to[j * to_stride + i] = from[i * from_stride + j] for a block of block_side<E> squared. Taking
/// row r and row r + k/2 together, element by element, log2(k) times over, transposes k x k.
template <class E>
void transpose_block(const E* from, std::size_t from_stride, E* to, std::size_t to_stride) {
  constexpr int k = block_side<E>;
#ifdef ADO_HAS_SHUFFLE
  if constexpr (k > 1) {
    using R = typename RegisterOf<E, k>::type;
    constexpr auto lanes = std::make_index_sequence<k>{};
    R row[k], next[k];
    for (int r = 0; r < k; ++r)
      std::memcpy(&row[r], from + r * from_stride, 16);
#pragma GCC unroll 4
    for (int round = 1; round < k; round *= 2) {
#pragma GCC unroll 8
      for (int r = 0; r < k / 2; ++r) {
        next[2 * r] = interleave<false>(row[r], row[r + k / 2], lanes);
        next[2 * r + 1] = interleave<true>(row[r], row[r + k / 2], lanes);
      }
#pragma GCC unroll 16
      for (int r = 0; r < k; ++r)
        row[r] = next[r];
    }
    for (int r = 0; r < k; ++r)
      std::memcpy(to + r * to_stride, &row[r], 16);
    return;
  }
#endif
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j)
      to[j * to_stride + i] = from[i * from_stride + j];
}

/// Copies one row of the buffer to b; `stream` bypasses the cache and needs 16-byte alignment.
inline void store_row(void* to, const void* from, std::size_t bytes, bool stream) {
#ifdef __SSE2__
  if (stream) {
    auto* out = static_cast<__m128i*>(to);
    const auto* in = static_cast<const __m128i*>(from);
    for (std::size_t k = 0; k < bytes / 16; ++k)
      _mm_stream_si128(out + k, _mm_load_si128(in + k));
    return;
  }
#endif
  static_cast<void>(stream);
  std::memcpy(to, from, bytes);
}

/// Makes streamed stores visible before what follows.
inline void store_fence() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

/// Whether rows of b may be streamed: whole cache lines, and b too large to be found in a cache
/// when it is read next (streaming evicts it).
template <class E>
bool may_stream(const Matrices<E>& m) {
  constexpr std::size_t cache_bytes = std::size_t(64) << 20;
  const bool whole_lines = reinterpret_cast<std::uintptr_t>(m.b) % 64 == 0 &&
                           m.ldb * sizeof(E) % 64 == 0 && m.rows * sizeof(E) % 16 == 0;
  return whole_lines && m.rows * m.columns * sizeof(E) >= cache_bytes;
}

/// Transposes the tile whose first element is a[i0][j0]. `buffer` holds buffer_bytes<E>, aligned to
/// 64 bytes.
template <class E>
void transpose_tile(const Matrices<E>& m, std::size_t i0, std::size_t j0, E* buffer, bool stream) {
  constexpr std::size_t k = block_side<E>;
  constexpr std::size_t stride = tile_rows<E>;
  const std::size_t height = std::min(tile_rows<E>, m.rows - i0);
  const std::size_t width = std::min(tile_columns<E>, m.columns - j0);
  const E* tile = m.a + i0 * m.lda + j0;
  const std::size_t whole_height = height - height % k, whole_width = width - width % k;
  for (std::size_t i = 0; i < whole_height; i += k)
    for (std::size_t j = 0; j < whole_width; j += k)
      transpose_block(tile + i * m.lda + j, m.lda, buffer + j * stride + i, stride);
  for (std::size_t i = 0; i < height; ++i)
    for (std::size_t j = i < whole_height ? whole_width : 0; j < width; ++j)
      buffer[j * stride + i] = tile[i * m.lda + j];
  for (std::size_t j = 0; j < width; ++j)
    store_row(m.b + (j0 + j) * m.ldb + i0, buffer + j * stride, height * sizeof(E), stream);
}

/// Tiles of a that one thread takes at a time: down a strip of columns, so that it writes along the
/// rows of b.
inline constexpr std::size_t tiles_per_strip = 16;

/// Number of strips of a whole transpose; strip s is transposed by transpose_strip(m, s, ...).
template <class E>
std::size_t strips_per_column(const Matrices<E>& m) {
  const std::size_t rows = tile_rows<E> * tiles_per_strip;
  return m.rows / rows + (m.rows % rows != 0);
}
template <class E>
std::size_t strip_count(const Matrices<E>& m) {
  const std::size_t columns = tile_columns<E>;
  return strips_per_column(m) * (m.columns / columns + (m.columns % columns != 0));
}

template <class E>
void transpose_strip(const Matrices<E>& m, std::size_t strip, E* buffer, bool stream) {
  const std::size_t per_column = strips_per_column(m);
  const std::size_t j0 = strip / per_column * tile_columns<E>;
  const std::size_t first = strip % per_column * tile_rows<E> * tiles_per_strip;
  const std::size_t last = std::min(first + tile_rows<E> * tiles_per_strip, m.rows);
  for (std::size_t i0 = first; i0 < last; i0 += tile_rows<E>)
    transpose_tile(m, i0, j0, buffer, stream);
  if (stream) store_fence();
}

} // namespace ado::host_tile
