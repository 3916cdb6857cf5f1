// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A strip of a transpose on one CPU core; begin at the end, with transpose_strip(). Blocks are transposed
// in SIMD registers into a buffer in cache. From there whole cache lines of b go to memory without being
// read first, wherever its rows begin: what is short of a line waits for the rows of a that follow.
// Meanwhile the lines of a that come next are prefetched.
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

/// A slab of rows is transposed piece by piece; meanwhile the next piece is prefetched. Columns of a piece: 256
/// bytes. Single bytes, whose pieces would be narrow for their height, 512: share of a copy's speed, i8 22016^2,
/// two cores of an Intel Xeon (model 167), 0.60 instead of 0.54.
template <class E>
inline constexpr std::size_t piece_columns = (sizeof(E) == 1 ? 512 : 256) / sizeof(E);
/// So many of them at once: a block and its transpose fit the first-level cache.
template <class E>
inline constexpr std::size_t turned_columns = std::min<std::size_t>(piece_columns<E>, 64);

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

/// Part of a.
struct Part {
  std::size_t i, j, height, width;
};

/// Transposes a part: to[j * to_stride + i] is its element (i, j). Where whole blocks do not fit, the last ones
/// overlap those before them. They may begin before the part, and then elements are written before `to` as
/// well.
template <class E>
void turn(const Matrices<E>& m, const Part& part, E* to, std::size_t to_stride) {
  constexpr std::size_t tall = block_rows<E>, wide = block_columns<E>;
  const std::size_t bottom = part.i + part.height, whole = part.width - part.width % wide;
  const auto distance = [](std::size_t x, std::size_t y) {
    return static_cast<std::ptrdiff_t>(y) - static_cast<std::ptrdiff_t>(x);
  };
  for (std::size_t i = part.i; i < bottom; i += tall) {
    const std::size_t top = std::min(i, bottom - tall);
    const E* const from = m.a + top * m.lda + part.j;
    E* const row = to + distance(part.i, top);
    for (std::size_t j = 0; j < whole; j += wide)
      transpose_block(from + j, m.lda, row + j * to_stride, to_stride);
    if (whole == part.width) continue;
    const std::ptrdiff_t j = distance(wide, part.width);
    transpose_block(from + j, m.lda, row + j * static_cast<std::ptrdiff_t>(to_stride), to_stride);
  }
}

/// Whether to write b past the cache: if it is larger than caches that a core has for itself, and its rows
/// have whole lines. Two cores of an Intel Xeon (model 167, 480 MB in its last level), f32, transpose and one
/// read of b, ms, in the ordinary way and streamed: 8 MiB 1.28 and 1.01, 15 MiB 2.88 and 1.66, 61 MiB 14.5 and
/// 5.97; 1 MiB 0.09 and 0.25.
template <class E>
bool may_stream(const Matrices<E>& m) {
  constexpr std::size_t large = std::size_t{8} << 20, whole_lines = 256;
  return m.rows * sizeof(E) >= whole_lines && m.rows * m.columns * sizeof(E) >= large;
}

/// Streams those lines of a row of b that are complete with `bytes` more bytes. `from` are those, behind the
/// 64 bytes that precede them in b, and they go to `to`. Only where the row of b begins and ends may a line be
/// another row's, too: there just the row's bytes are stored, in the ordinary way.
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

/// A slab is so many rows of a, walked along, a piece at a time. Its height is that of a row of b's part:
/// 256 bytes, at least 128, of at most 64 rows. But where rows of b begin inside lines, or rows of a are whole pages
/// apart, so that lines of a column share few sets of a cache, it is 32 rows: as many as an Intel core's prefetchers
/// follow at once. Share of a copy's speed, two cores of an Intel Xeon (model 167), f32, 64 rows and 32: 16000^2
/// 0.85 and 0.81, 15001 x 15013 0.77 and 0.82, 16384^2 0.60 and 0.70.
template <class E>
inline constexpr std::size_t tall_slab = std::max(std::min<std::size_t>(256 / sizeof(E), 64),
                                                  128 / sizeof(E));
template <class E>
inline constexpr std::size_t flat_slab = std::max<std::size_t>(32, 128 / sizeof(E));
template <class E>
inline constexpr std::size_t most_slab_rows = std::max(tall_slab<E>, flat_slab<E>);

/// Columns of a streamed strip. On longer ways prefetchers waste less at their ends, but the last lines of
/// all rows of b must stay in the second-level cache, at most 256 KiB.
template <class E>
inline constexpr std::size_t streamed_columns = std::min<std::size_t>(8192 / sizeof(E), 4096);

/// How a matrix is transposed: strip by strip, each of them slab by slab.
struct Way {
  bool streams, keeps; ///< past the cache; and then, whether lines of b wait for later rows of a
  std::size_t slab_rows, strip_rows, strip_columns;
};

/// Streamed strips are large, since they begin with a line's rows of the strip above. Others, and those of
/// smaller matrices, keep more threads busy.
template <class E>
Way way_of(const Matrices<E>& m) {
  const bool on_lines =
      reinterpret_cast<std::uintptr_t>(m.b) % 64 == 0 && m.ldb * sizeof(E) % 64 == 0;
  constexpr std::size_t page = 4096;
  if (!may_stream(m)) return {false, false, tall_slab<E>, 2 * tall_slab<E>, 8 * piece_columns<E>};
  const bool tall = on_lines && m.lda * sizeof(E) % page != 0;
  const std::size_t slab = tall ? tall_slab<E> : flat_slab<E>;
  const std::size_t slabs_a_strip =
      std::clamp<std::size_t>(m.rows * m.columns * sizeof(E) >> 26, on_lines ? 1 : 4, 8);
  return {true, !on_lines, slab, slabs_a_strip * slab, streamed_columns<E>};
}

/// What a thread has in its cache. A row of it belongs to a row of b.
template <class E>
struct Buffer {
  /// The new elements of a row, behind a line for those before them. The extra line also keeps a column from
  /// falling into one cache set.
  static constexpr std::size_t stride = line<E> + most_slab_rows<E>;
  E row[block_columns<E> + turned_columns<E>][stride]; ///< the first ones: blocks that begin early
  E kept[streamed_columns<E>][line<E>]; ///< the last line of every row, until the next slab

  E* begin() { return &row[block_columns<E>][line<E>]; }
};
template <class E>
inline constexpr std::size_t buffer_bytes = sizeof(Buffer<E>);

/// Prefetches a piece's part of row i, if there is such a row. It takes the last element of every line, as
/// the piece before had the line that this one may begin inside. (Always inline: gcc would find that a call
/// has no effect, and drop it.)
template <class E>
[[gnu::always_inline]] inline void prefetch_row(const Matrices<E>& m, std::size_t i,
                                                std::size_t j) {
  if (i >= m.rows) return;
  for (std::size_t k = line<E>; k <= piece_columns<E>; k += line<E>)
    __builtin_prefetch(m.a + i * m.lda + std::min(j + k, m.columns) - 1, 0, 2);
}

/// Row and column of an element of a.
struct Place {
  std::size_t i, j;
};

/// Transposes a piece of a slab: some columns into the buffer, and then row by row to b, so that loads do not wait
/// behind stores to memory. Meanwhile the piece at `next` is prefetched. `kept` holds the last line of each of its
/// rows of b.
template <class E>
void transpose_piece(const Matrices<E>& m, const Part& piece, Place next, const Way& way,
                     Buffer<E>& buffer, E (*kept)[line<E>]) {
  constexpr std::size_t turned = turned_columns<E>;
  const bool begins = piece.i == 0, ends = piece.i + piece.height == m.rows;
  const std::size_t bytes = piece.height * sizeof(E);
  for (std::size_t j = 0, prefetched = 0; j < piece.width; ++j) {
    if (j % turned == 0)
      turn(m, {piece.i, piece.j + j, piece.height, std::min(turned, piece.width - j)},
           buffer.begin(), buffer.stride);
    for (; prefetched * piece.width < (j + 1) * way.slab_rows; ++prefetched)
      prefetch_row(m, next.i + prefetched, next.j);
    E* const row = buffer.begin() + j % turned * buffer.stride;
    E* const to = m.b + (piece.j + j) * m.ldb + piece.i;
    if (!way.streams) {
      std::memcpy(to, row, bytes);
      continue;
    }
    if (way.keeps) std::memcpy(row - line<E>, kept[j], 64);
    stream_row(reinterpret_cast<std::byte*>(to), reinterpret_cast<std::byte*>(row), bytes, begins,
               ends);
    if (way.keeps && !ends) std::memcpy(kept[j], row + piece.height - line<E>, 64);
  }
}

/// Number of strips of a whole transpose; each is transposed by transpose_strip.
template <class E>
std::size_t strip_count(const Matrices<E>& m) {
  const Way way = way_of(m);
  return ceil_div(m.rows, way.strip_rows) * ceil_div(m.columns, way.strip_columns);
}

/// Where a strip begins. Each row of strips starts one strip further than the previous one: so threads,
/// which are rows of strips apart, are not all at the same columns at once. In matrices whose rows are a
/// power of two long, that would cause conflicts in memory.
template <class E>
Place place_of_strip(const Matrices<E>& m, const Way& way, std::size_t strip) {
  const std::size_t across = ceil_div(m.columns, way.strip_columns), row = strip / across;
  return {row * way.strip_rows, (strip + row) % across * way.strip_columns};
}

/// Whether a has too few rows or columns for a block.
template <class E>
bool is_thin(const Matrices<E>& m) {
  return m.rows < block_rows<E> || m.columns < block_columns<E>;
}

/// Transposes one strip. `memory` holds buffer_bytes<E>, aligned to 64 bytes.
template <class E>
void transpose_strip(const Matrices<E>& m, std::size_t strip, void* memory) {
  auto& buffer = *static_cast<Buffer<E>*>(memory);
  const Way way = way_of(m);
  const Place first = place_of_strip(m, way, strip);
  const std::size_t bottom = std::min(first.i + way.strip_rows, m.rows);
  const std::size_t right = std::min(first.j + way.strip_columns, m.columns);
  if (is_thin(m)) {
    for (std::size_t j = first.j; j < right; ++j)
      for (std::size_t i = first.i; i < bottom; ++i)
        m.b[j * m.ldb + i] = m.a[i * m.lda + j];
    return;
  }
  if (way.keeps && first.i > 0)
    turn(m, {first.i - line<E>, first.j, line<E>, right - first.j}, buffer.kept[0], line<E>);
  for (std::size_t i = first.i; i < bottom; i += way.slab_rows)
    for (std::size_t j = first.j; j < right; j += piece_columns<E>) {
      Place next{i, j + piece_columns<E>};
      if (next.j >= right) next = {i + way.slab_rows, first.j};
      if (next.i >= bottom) next = place_of_strip(m, way, strip + 1);
      transpose_piece(
          m, {i, j, std::min(way.slab_rows, bottom - i), std::min(piece_columns<E>, right - j)},
          next, way, buffer, buffer.kept + (j - first.j));
    }
  if (way.streams) stream_fence();
}

} // namespace ado::detail::host_tile
