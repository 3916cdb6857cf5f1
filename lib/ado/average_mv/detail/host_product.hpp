// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile of the product of average_mv on one CPU core. A panel of means is packed so that the sets lie
// side by side. Each register loaded from it serves several rows of a. Sums stay in registers.
#pragma once

#include <ado/average_mv/detail/plan.hpp>
#include <ado/core/checks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace ado::detail::host_product {

/// As wide as AVX2's registers; a built-in vector type, so the compiler keeps arrays of it in registers.
template <class T>
struct Register {
  typedef T type __attribute__((vector_size(32)));
};

/// Sets in a panel: two registers. With rows_at_once rows, sums take twelve of the sixteen registers.
template <class T>
inline constexpr std::size_t width = 64 / sizeof(T);
inline constexpr int rows_at_once = 6;
/// Columns of a in a panel. A panel then takes 64 KiB and stays in L2. L1 would hold 256 columns, but
/// then y would be added to four times as often, and rows of y that lie a power of two apart share few
/// cache sets.
inline constexpr std::size_t depth = 1024;
template <class T>
inline constexpr std::size_t panel_size = depth* width<T>;
/// Rows of y in a tile: enough to make packing cheap.
inline constexpr std::size_t tile_rows = 384;

/// panel[j][k] = mean[n + k][j0 + j]; zero where there is no such set: those lanes are not stored.
template <class T>
void pack_panel(const Product<T>& p, std::size_t n, std::size_t j0, std::size_t j1, T* panel) {
  const std::size_t sets = std::min(width<T>, p.sets - n);
  if (sets < width<T>) std::fill_n(panel, (j1 - j0) * width<T>, T(0));
  for (std::size_t k = 0; k < sets; ++k)
    for (std::size_t j = j0; j < j1; ++j)
      panel[(j - j0) * width<T> + k] = p.mean[(n + k) * p.length + j];
}

/// Adds the products of columns [j0, j1) to `rows` rows of y; the first columns overwrite y.
template <int rows, class T>
void multiply_rows(const Product<T>& p, std::size_t i, std::size_t n, std::size_t j0,
                   std::size_t j1, const T* panel) {
  using R = typename Register<T>::type;
  R sum[rows][2] = {};
  const T* a = p.a + i * p.lda;
  for (std::size_t j = j0; j < j1; ++j) {
    R low, high; // two variables: GCC would copy an array of them through the stack
    std::memcpy(&low, panel + (j - j0) * width<T>, sizeof low);
    std::memcpy(&high, panel + (j - j0) * width<T> + width<T> / 2, sizeof high);
#pragma GCC unroll 6
    for (int r = 0; r < rows; ++r) {
      const T factor = a[std::size_t(r) * p.lda + j];
      sum[r][0] += factor * low;
      sum[r][1] += factor * high;
    }
  }
  T sums[rows][width<T>];
  std::memcpy(sums, sum, sizeof sums);
  for (int r = 0; r < rows; ++r) {
    T* const y = p.y + (i + std::size_t(r)) * p.y_row + n * p.y_column;
    if (j0 == 0 && p.y_column == 1 && n + width<T> <= p.sets) { // a constant number of bytes
      std::memcpy(y, sums[r], sizeof sums[r]);
      continue;
    }
    for (std::size_t k = 0; k < width<T> && n + k < p.sets; ++k)
      y[k * p.y_column] = j0 == 0 ? sums[r][k] : y[k * p.y_column] + sums[r][k];
  }
}

/// Tiles of y: tile_rows rows of one panel's sets.
template <class T>
std::size_t tile_count(const Product<T>& p) {
  return ceil_div(p.rows, tile_rows) * ceil_div(p.sets, width<T>);
}

/// Tiles that a thread asks for at a time: 2^18 multiply-adds take some microseconds, and means are read in long
/// streams. But every thread of a large machine should get some.
template <class T>
std::size_t tiles_at_once(const Product<T>& p) {
  const std::size_t of_tile =
      std::max<std::size_t>(1, std::min(p.length, tile_rows) * p.length * width<T>);
  return std::clamp<std::size_t>((std::size_t{1} << 18) / of_tile, 1, tile_count(p) / 64 + 1);
}

/// Computes one tile. `panel` holds panel_size<T> elements.
template <class T>
void multiply_tile(const Product<T>& p, std::size_t tile, T* panel) {
  const std::size_t panels = ceil_div(p.sets, width<T>);
  const std::size_t n = tile % panels * width<T>;
  const std::size_t i0 = tile / panels * tile_rows, i1 = std::min(i0 + tile_rows, p.rows);
  for (std::size_t j0 = 0; j0 < p.length; j0 += depth) {
    const std::size_t j1 = std::min(j0 + depth, p.length);
    pack_panel(p, n, j0, j1, panel);
    std::size_t i = i0;
    for (; i + rows_at_once <= i1; i += rows_at_once)
      multiply_rows<rows_at_once>(p, i, n, j0, j1, panel);
    for (; i < i1; ++i)
      multiply_rows<1>(p, i, n, j0, j1, panel);
  }
}

/// Roundings on the longest path: a chain of L multiply-adds, cut into pieces that are added.
inline double rounding_steps(std::size_t length) {
  return double(length) + double(ceil_div(length, depth));
}

} // namespace ado::detail::host_product
