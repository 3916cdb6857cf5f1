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

/// A block is as wide as a lane. Each lane of a register holds as many rows of it as it has
/// columns.
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

/// Whether to write b past the cache: if it is larger than the caches of a single core, and its
/// rows have whole lines (docs/lab/constants.md#transpose).
template <class E>
bool may_stream(const Matrices<E>& m) {
  constexpr std::size_t large = std::size_t{8} << 20, whole_lines = 256;
  return !is_thin(m) && m.rows * sizeof(E) >= whole_lines &&
         m.rows * m.columns * sizeof(E) >= large;
}

// --- Matrices that stay in caches ---------------------------------------------------------------

/// How threads share a matrix. Each has a band of its columns, and so whole rows of b: a cache line
/// that two threads write to goes back and forth between them. But where rows of b are long and
/// few, each has some rows of a.
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

/// Rows of a that one pass walks along. Where rows of a or b are whole KiB apart, the lines of a
/// column share few cache sets, so rows are fewer (docs/lab/constants.md#transpose).
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

/// A slab is the group of rows of a that one pass walks along: 64, or 128 to 512 bytes of a row of
/// b. Longer pieces of rows of b stream faster (docs/lab/constants.md#transpose).
template <class E>
inline constexpr std::size_t slab_rows = std::min<std::size_t>(512 / sizeof(E),
                                                               sizeof(E) <= 2 ? 128 : 64);

/// A slab is transposed piece by piece; meanwhile the next piece is prefetched. Columns of a piece,
/// more where rows are many (docs/lab/constants.md#transpose).
template <class E>
inline constexpr std::size_t piece_columns = (slab_rows<E> > 64 ? 512 : 256) / sizeof(E);
/// So many of them at once: a block and its transpose fit the first-level cache.
template <class E>
inline constexpr std::size_t turned_columns = std::min(piece_columns<E>,
                                                       std::max<std::size_t>(line<E>, 32));

/// Columns of a streamed strip. Prefetchers waste less at the ends of longer strips, but the last
/// lines of all rows of b must stay in the second-level cache, at most 128 KiB.
template <class E>
inline constexpr std::size_t streamed_columns = std::min<std::size_t>(8192 / sizeof(E), 2048);

/// How a matrix is streamed: strip by strip, each of them slab by slab.
struct Way {
  bool keeps; ///< whether lines of b wait for later rows of a
  std::size_t strip_rows, strip_columns;
};

/// A strip begins with a line's rows of the strip above, so strips are large. In a smaller matrix
/// they are smaller, and keep more threads busy.
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

/// Number of parts of a whole transpose; transpose_strip does each. Threads take neighbouring ones.
template <class E>
std::size_t strip_count(const Matrices<E>& m, std::size_t threads = 1) {
  if (!may_stream(m)) return Bands::of(m, threads).count();
  const Way way = way_of(m);
  return ceil_div(m.rows, way.strip_rows) * ceil_div(m.columns, way.strip_columns);
}

/// Where a strip begins. Each row of strips starts one strip further than the previous one. So
/// threads, which are rows of strips apart, are not all at the same columns at once: where rows are
/// a power of two long, that would cause conflicts in memory.
template <class E>
Place place_of_strip(const Matrices<E>& m, const Way& way, std::size_t strip) {
  const std::size_t across = ceil_div(m.columns, way.strip_columns), row = strip / across;
  return {row * way.strip_rows, (strip + row) % across * way.strip_columns};
}

} // namespace ado::detail::host_tile
