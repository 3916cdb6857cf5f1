// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of average_mv where tiles are few: all warps of a block have the same tile, and each
// sums its share of the columns of a, straight from memory. Then they add their sums in shared
// memory.
#pragma once

#include <ado/average_mv/detail/product/plan.hpp>

#include <native_cuda/average_mv/product_mma.cuh>
#include <native_cuda/average_mv/product_stages.cuh>
#include <native_cuda/core/device.cuh>

#include <cstddef>

namespace ado::bench::native {

/// The elements of a lane in the piece of `row` from j on, which four lanes have; 0 beyond its end.
/// Neighbours are next to each other.
template <bool Aligned, class T>
__device__ Pack<T> part_of_piece(const T* row, unsigned j, unsigned length) {
  const unsigned quarter = threadIdx.x % 4;
  Pack<T> part{};
  if constexpr (Aligned) {
    const unsigned own = j + quarter * pack_size<T>;
    if (own < length) part = load_pack(row + own);
  } else {
#pragma unroll
    for (int e = 0; e < pack_size<T>; ++e)
      if (const unsigned own = j + e * 4 + quarter; own < length) part.value[e] = __ldg(row + own);
  }
  return part;
}

/// sum += a * mean of a piece. Tensor cores take two columns of each lane at a time.
template <int wide, class T>
__device__ void multiply_piece(double (&sum)[wide][4], const Pack<T> (&a)[2],
                               const Pack<T> (&mean)[wide]) {
#pragma unroll
  for (int k = 0; k < pack_size<T>; k += 2) {
    const double of_a[4]{double(a[0].value[k]), double(a[1].value[k]), double(a[0].value[k + 1]),
                         double(a[1].value[k + 1])};
#pragma unroll
    for (int c = 0; c < wide; ++c) {
      const double of_mean[2]{double(mean[c].value[k]), double(mean[c].value[k + 1])};
      tensor_multiply_add(sum[c], of_a, of_mean);
    }
  }
}

/// The sums of a share: every Tile::shares-th piece. The lane has rows i and i + 8, and
/// columns n, n + 8 and so on. Rows and columns beyond the matrices are others of them, which reach
/// no result.
template <class Tile, bool Aligned, class T>
__device__ void add_share(double (&sum)[Tile::wide][4], const Product<T>& p, std::size_t i,
                          std::size_t n) {
  constexpr int wide = Tile::wide, ahead = Tile::ahead, piece = 4 * pack_size<T>;
  constexpr unsigned step = Tile::shares * piece;
  const T *a[2], *mean[wide];
#pragma unroll
  for (int r = 0; r < 2; ++r)
    a[r] = p.a + min(i + 8 * r, p.length - 1) * p.lda;
#pragma unroll
  for (int c = 0; c < wide; ++c)
    mean[c] = p.mean + min(n + 8 * c, p.sets - 1) * p.length;

  const auto length = static_cast<unsigned>(p.length);
  const unsigned first = threadIdx.x / 32 * piece;
  Pack<T> of_a[ahead][2], of_mean[ahead][wide];
  const auto load = [&](int k, unsigned j) {
    if (j >= length) return;
#pragma unroll
    for (int r = 0; r < 2; ++r)
      of_a[k][r] = part_of_piece<Aligned>(a[r], j, length);
#pragma unroll
    for (int c = 0; c < wide; ++c)
      of_mean[k][c] = part_of_piece<Aligned>(mean[c], j, length);
  };
#pragma unroll
  for (int k = 0; k < ahead; ++k)
    load(k, first + k * step);
  for (unsigned j = first; j < length; j += ahead * step)
#pragma unroll
    for (int k = 0; k < ahead; ++k) {
      if (j + k * step < length) multiply_piece(sum, of_a[k], of_mean[k]);
      load(k, j + (k + ahead) * step);
    }
}

/// Aligned: rows of a and of mean are multiples of 16 bytes long and start on boundaries of 16.
template <class Tile, bool Aligned, class T>
__global__ __launch_bounds__(Tile::threads,
                             product_blocks<Tile, T>) void multiply_from_memory(Product<T> p) {
  constexpr int wide = Tile::wide, shares = Tile::shares;
  __shared__ double sums[shares][wide * 4][32];
  const unsigned lane = threadIdx.x % 32, share = threadIdx.x / 32;
  const auto across = static_cast<unsigned>((p.sets + Tile::columns - 1) / Tile::columns);
  const std::size_t i0 = std::size_t{blockIdx.x / across} * Tile::rows;
  const std::size_t n0 = std::size_t{blockIdx.x % across} * Tile::columns;

  double sum[wide][4]{};
  add_share<Tile, Aligned>(sum, p, i0 + lane / 4, n0 + lane / 4);
#pragma unroll
  for (int k = 0; k < wide * 4; ++k)
    sums[share][k][lane] = sum[k / 4][k % 4];
  __syncthreads();
  for (unsigned k = share; k < wide * 4; k += shares) {
    double all = sums[0][k][lane];
#pragma unroll
    for (int other = 1; other < shares; ++other)
      all += sums[other][k][lane];
    const std::size_t i = i0 + k % 4 / 2 * 8 + lane / 4, n = n0 + k / 4 * 8 + lane % 4 * 2 + k % 2;
    if (i < p.length && n < p.sets) p.y[i * p.y_row + n] = static_cast<T>(all);
  }
}

} // namespace ado::bench::native
