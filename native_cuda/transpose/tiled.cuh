// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of `tiled` and `tiled_padded`: a block transposes a tile of 32 x 32 elements in shared
// memory. Their files have the cards.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/cuda/variant.hpp>

#include <native_cuda/core/launch.hpp>
#include <native_cuda/transpose/words.hpp>

namespace ado::bench::native {

inline constexpr int tile_side = 32; ///< lanes of a warp
/// A block has 32 x 4 threads, each with eight loads in flight (docs/lab/constants.md#transpose).
inline constexpr int tile_threads_down = 4;

/// `padding`: elements between the rows of the tile.
template <int padding, class Word>
__global__ __launch_bounds__(tile_side* tile_threads_down) void transpose_tiled(
    std::size_t rows, std::size_t columns, const Word* __restrict__ a, std::size_t lda,
    Word* __restrict__ b, std::size_t ldb) {
  __shared__ Word tile[tile_side][tile_side + padding];
  const unsigned down = static_cast<unsigned>((rows + tile_side - 1) / tile_side);
  const std::size_t first_i = std::size_t{blockIdx.x % down} * tile_side;
  const std::size_t first_j = std::size_t{blockIdx.x / down} * tile_side;
  const int x = threadIdx.x % tile_side, y = threadIdx.x / tile_side;
#pragma unroll
  for (int k = 0; k < tile_side; k += tile_threads_down)
    if (first_i + y + k < rows && first_j + x < columns)
      tile[y + k][x] = a[(first_i + y + k) * lda + first_j + x];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < tile_side; k += tile_threads_down)
    if (first_j + y + k < columns && first_i + x < rows)
      b[(first_j + y + k) * ldb + first_i + x] = tile[x][y + k];
}

template <int padding>
void launch_tiled(const char* name, const Call& call, cudaStream_t stream) {
  with_words(call, [&]<class Word>(const Matrices<Word>& m) {
    launch(name, transpose_tiled<padding, Word>,
           ceil_div(m.rows, tile_side) * ceil_div(m.columns, tile_side),
           tile_side * tile_threads_down, 0, stream, m.rows, m.columns, m.a, m.lda, m.b, m.ldb);
  });
}

} // namespace ado::bench::native
