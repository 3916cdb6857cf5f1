// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the shape of a matrix decides its transpose on a CPU: for Kokkos and by hand alike.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/transpose/detail/plan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ado::detail::host_tile {

/// Elements of a cache line.
template <class E>
inline constexpr std::size_t line = 64 / sizeof(E);

/// Lanes of 16 bytes in a register.
#ifdef __AVX2__
inline constexpr std::size_t lanes = 2;
#else
inline constexpr std::size_t lanes = 1;
#endif

/// A block is as wide as a lane. Each lane of a register holds as many rows of it as it has columns.
template <class E>
inline constexpr std::size_t block_columns = 16 / sizeof(E);
template <class E>
inline constexpr std::size_t block_rows = lanes* block_columns<E>;

/// Part of a.
struct Part {
  std::size_t i, j, height, width;
};

/// Whether a has too few rows or columns for a block.
template <class E>
bool is_thin(const Matrices<E>& m) {
  return m.rows < block_rows<E> || m.columns < block_columns<E>;
}

/// Whether to write b past the cache: if it is larger than caches that a core has for itself, and its rows
/// have whole lines. Two cores of an Intel Xeon (model 167, 480 MB in its last level), f32, transpose and one
/// read of b, ms, in the ordinary way and streamed: 8 MiB 1.28 and 1.01, 15 MiB 2.88 and 1.66, 61 MiB 14.5 and
/// 5.97; 1 MiB 0.09 and 0.25.
template <class E>
bool may_stream(const Matrices<E>& m) {
  constexpr std::size_t large = std::size_t{8} << 20, whole_lines = 256;
  return !is_thin(m) && m.rows * sizeof(E) >= whole_lines &&
         m.rows * m.columns * sizeof(E) >= large;
}

// --- Matrices that stay in caches ---------------------------------------------------------------

/// How threads share a matrix. Each has a band of its columns, and so whole rows of b: a cache line that two threads
/// write to goes back and forth between them. But where rows of b are long and few, each has some rows of a.
struct Bands {
  std::size_t step_i, step_j, across, down;

  template <class E>
  static Bands of(const Matrices<E>& m, std::size_t threads) {
    constexpr std::size_t long_row = 4096;
    const bool thin = is_thin(m);
    const bool by_rows = m.rows >= 8 * m.columns && m.rows * sizeof(E) >= long_row * threads;
    Bands bands{1, 1, 1, 1};
    if (!thin) bands.step_i = block_rows<E>, bands.step_j = block_columns<E>;
    if (!by_rows) bands.across = std::clamp<std::size_t>(m.columns / bands.step_j, 1, threads);
    bands.down = std::min(ceil_div(threads, bands.across), m.rows / bands.step_i);
    return bands;
  }
  std::size_t count() const { return across * down; }
  /// The part of band `which`. Where the matrix is not thin, each is at least a block.
  template <class E>
  Part part(const Matrices<E>& m, std::size_t which) const {
    const auto cut = [](std::size_t k, std::size_t pieces, std::size_t extent, std::size_t step) {
      return k == pieces ? extent : k * (extent / step) / pieces * step;
    };
    const std::size_t x = which / down, y = which % down;
    const std::size_t i = cut(y, down, m.rows, step_i), j = cut(x, across, m.columns, step_j);
    return {i, j, cut(y + 1, down, m.rows, step_i) - i, cut(x + 1, across, m.columns, step_j) - j};
  }
};

/// Rows of a that are walked along at once. Where rows of a or b are whole KiB apart, lines of a column share few sets of
/// a cache, and rows are fewer. Share of a copy's speed, two cores of an Intel Xeon (model 167), f32, 64 rows and 32:
/// 1003 x 700 0.70 and 0.60, 1024^2 0.46 and 0.61, 256^2 0.43 and 0.54.
template <class E>
std::size_t rows_of_tile(const Matrices<E>& m) {
  constexpr std::size_t apart = 1024;
  const bool crowded = m.lda * sizeof(E) % apart == 0 || m.ldb * sizeof(E) % apart == 0;
  constexpr std::size_t most = std::min<std::size_t>(64, 256 / sizeof(E)),
                        few = std::max<std::size_t>(64 / sizeof(E),
                                                    std::min<std::size_t>(32, 128 / sizeof(E)));
  return std::max(2 * block_rows<E>, crowded ? few : most);
}

// --- Matrices that are streamed ------------------------------------------------------------------

/// A slab is so many rows of a, walked along: 64, or as many as have 128 to 512 bytes of a row of b. Two cores of an Intel Xeon (model 207), GB/s of a
/// transpose, 256, 128 and 64 rows: i8 26, 29, 23, i16 26, 32, 33, f32 25, 29, 37. One core of an AMD EPYC (Zen 3) that
/// streams 64 bytes to each row of b in turn has 6.4, 128 bytes 12.6, 256 bytes and more 20 to 21.
template <class E>
inline constexpr std::size_t slab_rows = std::min<std::size_t>(512 / sizeof(E),
                                                               sizeof(E) <= 2 ? 128 : 64);

/// A slab is transposed piece by piece; meanwhile the next piece is prefetched. Columns of a piece, more where rows are many:
/// i16 31 GB/s instead of 29, and f32, which has fewer rows, 37 instead of 38.
template <class E>
inline constexpr std::size_t piece_columns = (slab_rows<E> > 64 ? 512 : 256) / sizeof(E);
/// So many of them at once: a block and its transpose fit the first-level cache.
template <class E>
inline constexpr std::size_t turned_columns = std::min(piece_columns<E>,
                                                       std::max<std::size_t>(line<E>, 32));

/// Columns of a streamed strip. On longer ways prefetchers waste less at their ends, but the last lines of
/// all rows of b must stay in the second-level cache, at most 128 KiB.
template <class E>
inline constexpr std::size_t streamed_columns = std::min<std::size_t>(8192 / sizeof(E), 2048);

/// How a matrix is streamed: strip by strip, each of them slab by slab.
struct Way {
  bool keeps; ///< whether lines of b wait for later rows of a
  std::size_t strip_rows, strip_columns;
};

/// Strips are large, since they begin with a line's rows of the strip above. Those of smaller matrices keep more threads
/// busy.
template <class E>
Way way_of(const Matrices<E>& m) {
  const bool on_lines =
      reinterpret_cast<std::uintptr_t>(m.b) % 64 == 0 && m.ldb * sizeof(E) % 64 == 0;
  const std::size_t slabs_a_strip =
      std::clamp<std::size_t>(m.rows * m.columns * sizeof(E) >> 27, on_lines ? 1 : 2, 4);
  return {!on_lines, slabs_a_strip * slab_rows<E>, streamed_columns<E>};
}

/// Row and column of an element of a.
struct Place {
  std::size_t i, j;
};

/// Number of parts of a whole transpose; each is transposed by transpose_strip. Threads take neighbouring ones.
template <class E>
std::size_t strip_count(const Matrices<E>& m, std::size_t threads = 1) {
  if (!may_stream(m)) return Bands::of(m, threads).count();
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

} // namespace ado::detail::host_tile
