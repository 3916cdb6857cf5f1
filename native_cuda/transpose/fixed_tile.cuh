// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel for rows that start anywhere. The compiler knows the tile's shape, so the whole part
// of a moves without a condition, at addresses that differ by constants.
#pragma once

#include <native_cuda/transpose/tile.cuh>

#include <cstddef>

namespace ado::bench::native {
namespace {

template <int tile_rows, int tile_columns, int threads, class Word>
__global__ __launch_bounds__(threads, 2048 / threads) void transpose_fixed(
    std::size_t rows, std::size_t columns, const Word* __restrict__ a, std::size_t lda,
    Word* __restrict__ b, std::size_t ldb) {
  constexpr unsigned words = tile_rows * tile_columns, each = words / threads,
                     pitch = tile_rows + 1;
  __shared__ Word tile[pitch * tile_columns];
  const unsigned t = threadIdx.x;
  const Tile at = tile_of_block(rows, columns, tile_rows, tile_columns);
  const Word* const from = a + at.i * lda + at.j;
  Word* const to = b + at.j * ldb + at.i;

  if (at.height < tile_rows || at.width < tile_columns) { // over the edge
#pragma unroll 1
    for (unsigned e = t; e < words; e += threads) {
      const unsigned i = e / tile_columns, j = e % tile_columns;
      if (i < at.height && j < at.width) tile[j * pitch + i] = from[i * lda + j];
    }
    __syncthreads();
#pragma unroll 1
    for (unsigned e = t; e < words; e += threads) {
      const unsigned i = e % tile_rows, j = e / tile_rows;
      if (i < at.height && j < at.width) to[j * ldb + i] = tile[j * pitch + i];
    }
    return;
  }

  const unsigned i = t / tile_columns, j = t % tile_columns;
  Word word[each]; // all loads in flight before the first store
#pragma unroll
  for (unsigned k = 0; k < each; ++k)
    word[k] = from[(i + k * (threads / tile_columns)) * lda + j];
#pragma unroll
  for (unsigned k = 0; k < each; ++k)
    tile[j * pitch + i + k * (threads / tile_columns)] = word[k];
  __syncthreads();
  const unsigned out_j = t / tile_rows, out_i = t % tile_rows;
#pragma unroll
  for (unsigned k = 0; k < each; ++k) {
    const unsigned column = out_j + k * (threads / tile_rows);
    to[column * ldb + out_i] = tile[column * pitch + out_i];
  }
}

} // namespace
} // namespace ado::bench::native
