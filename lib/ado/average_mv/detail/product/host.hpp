// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile of the product of average_mv on one CPU core. Panels of means are packed so that their
// sets lie side by side. Each register loaded from a panel serves several rows of a; each of these
// rows serves all panels of the tile while it is in the first-level cache. Sums stay in registers.
#pragma once

#include <ado/average_mv/detail/product/plan.hpp>
#include <ado/core/checks.hpp>
#include <ado/host/thread_memory.hpp>
#include <ado/transpose/detail/host_block.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace ado::detail::host_product {

/// Bytes of a register, and rows that are multiplied at once: with two registers a row, their sums
/// take three quarters of the registers.
#ifdef __AVX512F__
inline constexpr std::size_t vector_bytes = 64;
inline constexpr int rows_at_once = 12;
#else
#ifdef __AVX__
inline constexpr std::size_t vector_bytes = 32;
#else
inline constexpr std::size_t vector_bytes = 16;
#endif
inline constexpr int rows_at_once = 6;
#endif

/// A built-in vector type, so the compiler keeps arrays of it in registers.
template <class T>
struct Vector {
  typedef T type __attribute__((vector_size(vector_bytes)));
};

using host_tile::line;
/// Sets in a panel: two registers.
template <class T>
inline constexpr std::size_t width = 2 * vector_bytes / sizeof(T);
/// Columns of a in a panel: y is added to once for so many. They decide the order of additions.
inline constexpr std::size_t depth = 1024;
/// Sets of a tile. Its panels take 256 KiB and stay in L2, so all of them read a from memory once
/// (docs/lab/constants.md#average_mv).
template <class T>
inline constexpr std::size_t tile_sets = 256 / sizeof(T);
template <class T>
struct alignas(64) Panels {
  T element[depth * tile_sets<T>];
};

/// Tiles of y: `rows` rows of tile_sets sets.
struct Tiles {
  std::size_t rows, across, count;
};

/// Many rows make packing cheap; but each thread should have several tiles, of even size.
template <class T>
Tiles tiles_of(const Product<T>& p, std::size_t threads) {
  constexpr std::size_t most_rows = 384, least_rows = 48, tiles_a_thread = 8;
  const std::size_t across = ceil_div(p.sets, tile_sets<T>);
  const std::size_t wanted = ceil_div(p.rows * across, tiles_a_thread * threads);
  const std::size_t down =
      std::max<std::size_t>(1, ceil_div(p.rows, std::clamp(wanted, least_rows, most_rows)));
  const std::size_t rows = round_up(ceil_div(p.rows, down), std::size_t{rows_at_once});
  return {rows, across, across * ceil_div(p.rows, rows)};
}

/// Tiles that a thread takes at a time: 2^20 multiply-adds take some tens of microseconds, and
/// means are read in long streams. But every thread should get some.
template <class T>
std::size_t tiles_at_once(const Product<T>& p, const Tiles& tiles, std::size_t threads) {
  const std::size_t of_tile =
      std::max<std::size_t>(1, std::min(p.rows, tiles.rows) * p.length * tile_sets<T>);
  return std::clamp<std::size_t>((std::size_t{1} << 20) / of_tile, 1,
                                 tiles.count / (8 * threads) + 1);
}

/// Means of some sets: set k from first + k * apart on.
template <class T>
struct Means {
  const T* first;
  std::size_t apart, sets;
};

/// panel[j * width + k] = number j of set k, for j < columns. Lanes without a set are zero, and are
/// not stored.
template <class T>
void pack_panel(const Means<T>& means, std::size_t columns, T* panel) {
  constexpr std::size_t tall = host_tile::block_rows<T>, wide = host_tile::block_columns<T>;
  if (means.sets < width<T>) std::fill_n(panel, columns * width<T>, T(0));
  for (std::size_t j0 = 0; j0 < columns; j0 += line<T>) { // whole lines of all sets
    const std::size_t j1 = std::min(j0 + line<T>, columns);
    for (std::size_t k = 0; k < means.sets; k += tall) {
      const T* const from = means.first + k * means.apart;
      T* const to = panel + k;
      std::size_t j = j0;
      if (k + tall <= means.sets)
        for (; j + wide <= j1; j += wide)
          host_tile::transpose_block(from + j, means.apart, to + j * width<T>, width<T>);
      for (; j < j1; ++j)
        for (std::size_t r = 0; r < std::min(tall, means.sets - k); ++r)
          to[j * width<T> + r] = from[r * means.apart + j];
    }
  }
}

/// All panels of some sets, one behind the other.
template <class T>
void pack_panels(const Means<T>& means, std::size_t columns, T* panels) {
  for (std::size_t k = 0; k < means.sets; k += width<T>)
    pack_panel(
        Means<T>{means.first + k * means.apart, means.apart, std::min(width<T>, means.sets - k)},
        columns, panels + k * columns);
}

/// Some rows of a from one column on, and where their products go: element (r, k) at y + r * y_row
/// + k * y_column.
template <class T>
struct Rows {
  const T* a;
  std::size_t lda, columns;
  T* y;
  std::size_t y_row, y_column;
  bool add;                          ///< to what is there
  const T* ahead = nullptr;          ///< where the rows begin that come next, or null
  std::size_t panel = 0, panels = 1; ///< which of how many meets the rows

  /// Prefetches the line that holds column j of each of the next rows. Every panel takes a share:
  /// that is faster than all in the first panel (docs/lab/constants.md#average_mv).
  void prefetch(std::size_t j) const {
    if (ahead == nullptr) return;
    for (std::size_t r = panel; r < std::size_t{rows_at_once}; r += panels)
      __builtin_prefetch(ahead + r * lda + j, 0, 2);
  }
};

/// sum + factor * x, rounded once where the CPU can. GCC decides that by speed: where it tunes for
/// AMD's Zen it rounds a row alone twice and several rows not, so bits would depend on how rows are
/// parted.
template <class T, class R>
R multiply_add(T factor, R x, R sum) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4)
    return (R)_mm512_fmadd_ps(_mm512_set1_ps(factor), (__m512)x, (__m512)sum);
  else
    return (R)_mm512_fmadd_pd(_mm512_set1_pd(factor), (__m512d)x, (__m512d)sum);
#elif defined(__FMA__)
  if constexpr (sizeof(T) == 4)
    return (R)_mm256_fmadd_ps(_mm256_set1_ps(factor), (__m256)x, (__m256)sum);
  else
    return (R)_mm256_fmadd_pd(_mm256_set1_pd(factor), (__m256d)x, (__m256d)sum);
#else
  return sum + factor * x;
#endif
}

/// Stores the sums of some rows, or adds them. Where results of a set are contiguous, sets are
/// often some KiB apart, and few of their lines fit into a cache set: one set is finished before
/// the next begins (docs/lab/constants.md#average_mv).
template <int rows, class T>
void store_sums(const Rows<T>& to, std::size_t sets, const T (&sums)[rows][width<T>]) {
  if (to.y_row == 1) {
    for (std::size_t k = 0; k < sets; ++k) {
      T* const y = to.y + k * to.y_column;
      for (int r = 0; r < rows; ++r)
        y[r] = to.add ? y[r] + sums[r][k] : sums[r][k];
    }
    return;
  }
  for (int r = 0; r < rows; ++r) {
    T* const y = to.y + std::size_t(r) * to.y_row;
    if (!to.add && to.y_column == 1 && sets == width<T>) { // a constant number of bytes
      std::memcpy(y, sums[r], sizeof sums[r]);
      continue;
    }
    for (std::size_t k = 0; k < sets; ++k)
      y[k * to.y_column] = to.add ? y[k * to.y_column] + sums[r][k] : sums[r][k];
  }
}

/// The products of `rows` rows and the `sets` of a panel that fill no more than `registers`. Rows
/// mostly come from the second-level cache: where multiply-adds are many, each line is prefetched a
/// line ahead (docs/lab/constants.md#average_mv).
template <int rows, int registers, class T>
void multiply_rows(const Rows<T>& to, std::size_t sets, const T* panel) {
  using R = typename Vector<T>::type;
  R sum[rows][2] = {};
  // A pointer serves three rows: an address may hold lda once or twice. It is hidden from GCC,
  // which would make twelve pointers, more than there are registers
  // (docs/lab/constants.md#average_mv).
  constexpr int pointers = (rows + 2) / 3;
  const std::size_t lda = to.lda;
  const T* a[pointers];
#pragma GCC unroll 4
  for (int k = 0; k < pointers; ++k)
    a[k] = to.a + std::size_t(3 * k) * lda;
  for (std::size_t j = 0; j < to.columns;) {
    to.prefetch(j);
#pragma GCC unroll 12
    for (int r = 0; r < (registers == 2 ? rows : 0); ++r)
      __builtin_prefetch(a[r / 3] + std::size_t(r % 3) * lda + line<T>, 0, 3);
    for (const std::size_t line_end = std::min(j + line<T>, to.columns); j < line_end; ++j) {
      R low, high; // two variables: GCC would copy an array of them through the stack
      std::memcpy(&low, panel, sizeof low);
      if constexpr (registers == 2) std::memcpy(&high, panel + width<T> / 2, sizeof high);
      panel += width<T>;
#pragma GCC unroll 12
      for (int r = 0; r < rows; ++r) {
        const T factor = a[r / 3][std::size_t(r % 3) * lda];
        sum[r][0] = multiply_add(factor, low, sum[r][0]);
        if constexpr (registers == 2) sum[r][1] = multiply_add(factor, high, sum[r][1]);
      }
#pragma GCC unroll 4
      for (int k = 0; k < pointers; ++k) {
        ++a[k];
        asm("" : "+r"(a[k])); // no instruction: it may have changed
      }
    }
  }
  T sums[rows][width<T>];
  std::memcpy(sums, sum, sizeof sums);
  store_sums(to, sets, sums);
}

/// The same of any number of rows up to rows_at_once.
template <int most = rows_at_once, class T>
void multiply_group(std::size_t rows, const Rows<T>& to, std::size_t sets, const T* panel) {
  if constexpr (most > 1)
    if (rows < most) return multiply_group<most - 1>(rows, to, sets, panel);
  if (sets <= width<T> / 2)
    multiply_rows<most, 1>(to, sets, panel);
  else
    multiply_rows<most, 2>(to, sets, panel);
}

/// Calls f(first, count) for groups of up to rows_at_once of `rows` rows, as even as possible: a
/// group of few rows has too few sums to hide a multiply-add's latency.
template <class F>
void for_groups(std::size_t rows, const F& f) {
  const std::size_t groups = ceil_div(rows, std::size_t{rows_at_once});
  for (std::size_t g = 0; g < groups; ++g) {
    const std::size_t first = rows * g / groups;
    f(first, rows * (g + 1) / groups - first);
  }
}

/// The products of a group of rows with all `sets` of the panels. Meanwhile the rows ahead are
/// prefetched.
template <class T>
void multiply_panels(std::size_t rows, Rows<T> to, std::size_t sets, const T* panels) {
  to.panels = ceil_div(sets, width<T>);
  for (std::size_t k = 0; k < sets; k += width<T>, ++to.panel) {
    multiply_group(rows, to, std::min(width<T>, sets - k), panels + k * to.columns);
    to.y += width<T> * to.y_column;
  }
}

/// Computes one tile.
template <class T>
void multiply_tile(const Product<T>& p, const Tiles& tiles, std::size_t tile) {
  T* const panels = memory_of_thread<Panels<T>>().element;
  const std::size_t n = tile % tiles.across * tile_sets<T>;
  const std::size_t sets = std::min(tile_sets<T>, p.sets - n);
  const std::size_t i0 = tile / tiles.across * tiles.rows, rows = std::min(tiles.rows, p.rows - i0);
  // To bring a from memory takes about as long as the product of few sets, so it is prefetched
  // (docs/lab/constants.md#average_mv).
  constexpr std::size_t large = std::size_t{8} << 20;
  const bool asks = p.rows * p.length * sizeof(T) >= large;
  for (std::size_t j0 = 0; j0 < p.length; j0 += depth) {
    const std::size_t columns = std::min(depth, p.length - j0);
    pack_panels(Means<T>{p.mean + n * p.length + j0, p.length, sets}, columns, panels);
    for_groups(rows, [&](std::size_t first, std::size_t count) {
      const std::size_t i = i0 + first;
      const T* const a = p.a + i * p.lda + j0;
      multiply_panels(count,
                      Rows<T>{a, p.lda, columns, p.y + i * p.y_row + n * p.y_column, p.y_row,
                              p.y_column, j0 != 0, asks ? a + count * p.lda : nullptr},
                      sets, panels);
    });
  }
}

/// Roundings on the longest path: a chain of multiply-adds for each piece of L, and the pieces,
/// added.
inline double rounding_steps(std::size_t length) {
  return double(std::min(length, depth)) + double(ceil_div(length, depth)) - (length > 0);
}

} // namespace ado::detail::host_product
