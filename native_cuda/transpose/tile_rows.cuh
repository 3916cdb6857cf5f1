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
  const Array &a = call.arrays[0], &b = call.arrays[1];
  const std::size_t rows = call.shape[0], columns = call.shape[1];
  const auto addresses =
      reinterpret_cast<std::uintptr_t>(a.data) | reinterpret_cast<std::uintptr_t>(b.data);
  with_word(size_of(call.type), addresses, [&](auto word) {
    using Word = decltype(word);
    launch(name, transpose_tile_rows<apart, Word>,
           ceil_div(rows, rows_tile_side) * ceil_div(columns, rows_tile_side),
           rows_tile_side * rows_tile_warps, 0, stream, rows, columns, a.as<const Word>(),
           a.stride[0], b.as<Word>(), b.stride[0]);
  });
}

} // namespace ado::bench::native
