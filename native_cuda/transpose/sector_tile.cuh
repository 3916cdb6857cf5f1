// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel for large matrices whose rows start anywhere: a row of b is written in pieces that begin on boundaries of
// memory sectors, wherever the row itself begins.
#pragma once

#include <native_cuda/transpose/tile.cuh>

#include <cstddef>
#include <cstdint>

namespace ado::native {
namespace {

/// A block writes a piece of S::rows words of each of S::columns rows of b. The piece begins up to S::ahead - 1 words
/// before the tile, on a boundary; so scratch holds as many rows more.
template <class Word>
__global__ __launch_bounds__(
    SectorTile<Word>::threads,
    SectorTile<Word>::resident_blocks) void transpose_sectors(std::size_t rows, std::size_t columns,
                                                              const Word* __restrict__ a,
                                                              std::size_t lda, Word* __restrict__ b,
                                                              std::size_t ldb) {
  using S = SectorTile<Word>;
  constexpr unsigned threads = S::threads, in = S::high * S::columns, out = S::rows * S::columns;
  constexpr unsigned loads = (in + threads - 1) / threads, stores = (out + threads - 1) / threads;
  __shared__ Word tile[S::columns * S::pitch];
  // As if rows of b were longer, because the last piece of a row may begin as much earlier.
  const Tile at = tile_of_block(rows + S::ahead - 1, columns, S::rows, S::columns);
  const bool whole = at.i >= S::ahead && at.i + S::rows <= rows && at.width == S::columns;
  const unsigned t = threadIdx.x;

  Word word[loads]; // all in flight before the first is stored
#pragma unroll
  for (unsigned k = 0; k < loads; ++k) {
    const unsigned e = k * threads + t, j = e % S::columns;
    const std::size_t i = at.i + e / S::columns; // S::ahead rows below the one meant
    if (in % threads != 0 && e >= in) break;
    if (whole || (i >= S::ahead && i < rows + S::ahead && j < at.width))
      word[k] = a[(i - S::ahead) * lda + at.j + j];
  }
#pragma unroll
  for (unsigned k = 0; k < loads; ++k) {
    const unsigned e = k * threads + t;
    if (in % threads != 0 && e >= in) break;
    tile[e % S::columns * S::pitch + e / S::columns] = word[k];
  }
  __syncthreads();
#pragma unroll
  for (unsigned k = 0; k < stores; ++k) {
    const unsigned e = k * threads + t, i = e % S::rows, j = e / S::rows;
    if (out % threads != 0 && e >= out) break;
    Word* const to = b + (at.j + j) * ldb + at.i;
    const unsigned back =
        static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(to) / sizeof(Word)) % S::ahead;
    if (whole || (at.i + i >= back && at.i + i < rows + back && j < at.width))
      to[static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(back)] =
          tile[j * S::pitch + S::ahead + i - back];
  }
}

} // namespace
} // namespace ado::native
