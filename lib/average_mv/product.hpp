// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second step of average_mv, team: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   league: tiles of y; host: a thread walks a tile of 64 x 64 by blocks of 4 x 2 dot
//             products, SIMD along j; device: device_product.hpp
//   scratch   host: none
//   bytes     reads a and mean once a tile row or column, from cache; writes y once
#pragma once

#include <ado/average_mv/device_product.hpp>
#include <ado/average_mv/product_arrays.hpp>
#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado {

/// SIMD lanes of the host kernel: 32 bytes, one AVX2 register an accumulator.
template <class T>
inline constexpr int product_lanes = 32 / sizeof(T);

namespace detail {

/// `rows` x `columns` dot products at once: each loaded register is used several times.
template <int rows, int columns, class T>
void host_dot_block(const Product<T>& p, std::size_t i, std::size_t n) {
  constexpr int lanes = product_lanes<T>;
  T sum[rows][columns][lanes] = {};
  const T* a[rows];
  const T* mean[columns];
  for (int r = 0; r < rows; ++r)
    a[r] = p.a + (i + r) * p.lda;
  for (int c = 0; c < columns; ++c)
    mean[c] = p.mean + (n + c) * p.length;
  std::size_t j = 0;
  for (; j + lanes <= p.length; j += lanes)
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c)
        for (int lane = 0; lane < lanes; ++lane)
          sum[r][c][lane] += a[r][j + lane] * mean[c][j + lane];
  for (; j < p.length; ++j)
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c)
        sum[r][c][0] += a[r][j] * mean[c][j];
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      for (int half = lanes / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; ++lane)
          sum[r][c][lane] += sum[r][c][lane + half];
      p.y[(i + r) * p.y_row + (n + c) * p.y_column] = sum[r][c][0];
    }
}

template <class T>
void host_product_tile(const Product<T>& p, std::size_t i0, std::size_t i1, std::size_t n0,
                       std::size_t n1) {
  constexpr int rows = 4, columns = 2;
  for (std::size_t n = n0; n < n1; n += columns) {
    const bool pair = n + columns <= n1;
    std::size_t i = i0;
    for (; pair && i + rows <= i1; i += rows)
      host_dot_block<rows, columns>(p, i, n);
    for (; i < i1; ++i)
      for (std::size_t c = n; c < n1 && c < n + columns; ++c)
        host_dot_block<1, 1>(p, i, c);
  }
}

} // namespace detail

/// Host threads: a team is one of them and takes a tile of y.
template <class Exec, class T>
struct ProductTeam {
  static constexpr int tile = 64; ///< side of a tile of y
  Product<T> p;
  std::size_t row_tiles;

  void operator()(const typename Teams<Exec>::member_type& team) const {
    const std::size_t i0 = team.league_rank() % row_tiles * tile;
    const std::size_t n0 = team.league_rank() / row_tiles * tile;
    detail::host_product_tile(p, i0, Kokkos::min(i0 + tile, p.length), n0,
                              Kokkos::min(n0 + tile, p.sets));
  }
};

/// Launches the kernel; asynchronous on `exec`.
template <class Exec, class T>
void product_team(const Exec& exec, const Product<T>& p) {
  if (p.length == 0 || p.sets == 0) return;
  if constexpr (runs_on_host<Exec>) {
    using Kernel = ProductTeam<Exec, T>;
    const std::size_t row_tiles = ceil_div(p.length, Kernel::tile);
    Kokkos::parallel_for("ado::average_mv::product[team]",
                         teams(exec, row_tiles * ceil_div(p.sets, Kernel::tile)),
                         Kernel{p, row_tiles});
  } else {
    device_product::multiply(exec, p);
  }
}

/// Roundings on the longest path of product_team: device a chain of L multiply-adds; host L / lanes
/// of them, up to lanes - 1 leftovers in lane 0, and a tree.
template <class Exec, class T>
double product_team_steps(std::size_t length) {
  if constexpr (!runs_on_host<Exec>) return double(length) + 1;
  constexpr std::size_t lanes = product_lanes<T>;
  const std::size_t chain = length / lanes + length % lanes;
  return static_cast<double>(chain) + tree_depth(lanes) + 1;
}

} // namespace ado
