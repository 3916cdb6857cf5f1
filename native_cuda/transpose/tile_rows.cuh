// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of `tile_rows` and `tile_strided`: a block has a tile of 32 x 32 elements, but no
// shared memory. Their files have the cards.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/cuda/variant.hpp>

#include <native_cuda/core/launch.hpp>
#include <native_cuda/transpose/words.hpp>

namespace ado::bench::native {

inline constexpr int rows_tile_side = 32, rows_tile_warps = 8;

/// A thread has four rows of the tile of b: `apart` 1, next to each other; 8, eight apart.
template <int apart, class Word>
__global__ __launch_bounds__(rows_tile_side* rows_tile_warps) void transpose_tile_rows(
    std::size_t rows, std::size_t columns, const Word* __restrict__ a, std::size_t lda,
    Word* __restrict__ b, std::size_t ldb) {
  constexpr int own_rows = rows_tile_side / rows_tile_warps;
  const unsigned down = static_cast<unsigned>((rows + rows_tile_side - 1) / rows_tile_side);
  const unsigned warp = threadIdx.x / rows_tile_side, lane = threadIdx.x % rows_tile_side;
  const std::size_t i = std::size_t{blockIdx.x % down} * rows_tile_side + lane;
  const std::size_t first_j =
      std::size_t{blockIdx.x / down} * rows_tile_side + warp * (apart == 1 ? own_rows : 1);
  if (i >= rows) return;
  Word of_a[own_rows]{};
#pragma unroll
  for (int k = 0; k < own_rows; ++k)
    if (first_j + k * apart < columns) of_a[k] = a[i * lda + first_j + k * apart];
#pragma unroll
  for (int k = 0; k < own_rows; ++k)
    if (first_j + k * apart < columns) b[(first_j + k * apart) * ldb + i] = of_a[k];
}

template <int apart>
void launch_tile_rows(const char* name, const Call& call, cudaStream_t stream) {
  with_words(call, [&]<class Word>(const Matrices<Word>& m) {
    launch(name, transpose_tile_rows<apart, Word>,
           ceil_div(m.rows, rows_tile_side) * ceil_div(m.columns, rows_tile_side),
           rows_tile_side * rows_tile_warps, 0, stream, m.rows, m.columns, m.a, m.lda, m.b, m.ldb);
  });
}

} // namespace ado::bench::native
