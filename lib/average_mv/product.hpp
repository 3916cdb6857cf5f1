// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second step of average_mv, team: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   league: tiles of y; device: a thread computes 4 x 4 of a 64 x 64 tile, 16 columns of
//             a and mean at a time through scratch; host: a thread walks a tile of 64 x 64 by
//             blocks of 4 x 2 dot products, SIMD along j
//   scratch   device: 2 tiles of 64 x 16 elements (+ padding); host: none
//   bytes     reads a and mean once a tile row or column, from cache; writes y once
#pragma once

#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado {

/// y(i, n) = sum over j of a(i, j) * mean(n, j).
template <class T>
struct Product {
  const T* a;
  std::size_t lda;
  const T* mean; ///< (sets, length), rows contiguous
  T* y;          ///< element (i, n) at i * y_row + n * y_column
  std::size_t y_row, y_column;
  std::size_t length, sets;
};

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

template <class Exec, class T>
struct ProductTeam {
  using Member = typename Teams<Exec>::member_type;
  static constexpr int tile = 64;                 ///< side of a tile of y
  static constexpr int depth = 16;                ///< columns of a and mean in scratch at a time
  static constexpr int block = 4;                 ///< side of a device thread's part of the tile
  static constexpr int scratch_stride = tile + 4; ///< padding: column writes miss each other's bank
  static constexpr std::size_t scratch_bytes =
      runs_on_host<Exec> ? 0 : std::size_t{2} * depth * scratch_stride * sizeof(T);

  Product<T> p;
  std::size_t row_tiles;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t i0 = team.league_rank() % row_tiles * tile;
    const std::size_t n0 = team.league_rank() / row_tiles * tile;
    KOKKOS_IF_ON_HOST((detail::host_product_tile(p, i0, Kokkos::min(i0 + tile, p.length), n0,
                                                 Kokkos::min(n0 + tile, p.sets));))
    KOKKOS_IF_ON_DEVICE((device_tile(team, i0, n0);))
  }

  KOKKOS_FUNCTION void device_tile(const Member& team, std::size_t i0, std::size_t n0) const {
    auto* a_tile =
        static_cast<T*>(team.team_scratch(0).get_shmem_aligned(std::size_t{scratch_bytes}, 16));
    T* mean_tile = a_tile + depth * scratch_stride;
    constexpr int threads_per_side = tile / block;
    const int row = team.team_rank() % threads_per_side * block;
    const int column = team.team_rank() / threads_per_side * block;
    T sum[block][block] = {};
    for (std::size_t j0 = 0; j0 < p.length; j0 += depth) {
      load_transposed(team, p.a, p.lda, i0, p.length, j0, a_tile);
      load_transposed(team, p.mean, p.length, n0, p.sets, j0, mean_tile);
      team.team_barrier();
      ADO_UNROLL
      for (int j = 0; j < depth; ++j)
        ADO_UNROLL
      for (int r = 0; r < block; ++r)
        ADO_UNROLL
      for (int c = 0; c < block; ++c)
        sum[r][c] +=
            a_tile[j * scratch_stride + row + r] * mean_tile[j * scratch_stride + column + c];
      team.team_barrier();
    }
    for (int r = 0; r < block; ++r)
      for (int c = 0; c < block; ++c) {
        const std::size_t i = i0 + row + r, n = n0 + column + c;
        if (i < p.length && n < p.sets) p.y[i * p.y_row + n * p.y_column] = sum[r][c];
      }
  }

  /// scratch[j][k] = source[first + k][j0 + j], zero beyond the edges: zeros add nothing, unless
  /// the other factor is not finite, so both tiles are zero there.
  KOKKOS_FUNCTION void load_transposed(const Member& team, const T* source, std::size_t stride,
                                       std::size_t first, std::size_t end, std::size_t j0,
                                       T* scratch) const {
    for (int k = team.team_rank(); k < tile * depth; k += team.team_size()) {
      const int j = k % depth, row = k / depth;
      const bool inside = first + row < end && j0 + j < p.length;
      scratch[j * scratch_stride + row] = inside ? source[(first + row) * stride + j0 + j] : T(0);
    }
  }
};

/// Launches the kernel; asynchronous on `exec`.
template <class Exec, class T>
void product_team(const Exec& exec, const Product<T>& p) {
  if (p.length == 0 || p.sets == 0) return;
  using Kernel = ProductTeam<Exec, T>;
  const std::size_t row_tiles = ceil_div(p.length, Kernel::tile);
  auto policy = teams(exec, row_tiles * ceil_div(p.sets, Kernel::tile));
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes)));
  Kokkos::parallel_for("ado::average_mv::product[team]", policy, Kernel{p, row_tiles});
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
