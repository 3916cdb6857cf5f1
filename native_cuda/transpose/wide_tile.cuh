// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel for rows on 16-byte boundaries on both sides.
#pragma once

#include <native_cuda/core/device.cuh>
#include <native_cuda/transpose/tile.cuh>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ado::bench::native {
namespace {

/// `Shape`: rows and columns of a that a tile has, threads, resident blocks, and tiles side by
/// side. A thread loads `height` packs one below the other and transposes them into pieces of
/// `height` words.
template <class W, class Shape>
struct Wide : Shape {
  using Word = W;
  static constexpr int V = pack_size<Word>;
  static constexpr int a_packs = Shape::columns / V, b_packs = Shape::rows / V; ///< in a row
  static constexpr int height = V < 4 ? V : 4;
  static constexpr int patches = Shape::rows / height * a_packs;
  static_assert(patches % Shape::threads == 0 && Shape::columns * b_packs % Shape::threads == 0);
  using Piece = std::conditional_t<sizeof(Word) * height == 4, std::uint32_t,
                                   std::conditional_t<sizeof(Word) * height == 8, uint2, uint4>>;
  /// Row jj of the tile is row j + jj of b, word ii of it column i + ii. Its packs are permuted by
  /// row, so that lanes which write the same words of neighbouring patches meet different banks, as
  /// do lanes which read along a row.
  static __device__ int word(int jj, int ii) {
    return (jj * b_packs + (ii / V ^ jj / V % b_packs)) * V + ii % V;
  }
};

/// The tile of matrices that are not large.
template <class Word>
struct SquareTile {
  /// Tiles of f64 with sides of 64 are slower (docs/lab/constants.md#transpose).
  static constexpr int rows = sizeof(Word) < 4 ? 128 : sizeof(Word) == 4 ? 64 : 32, columns = rows;
  static constexpr int threads = 256;
  /// More blocks have fewer registers, and are slower (docs/lab/constants.md#transpose).
  static constexpr int resident_blocks = 4;
  static constexpr unsigned side_by_side = 1;
  static constexpr bool keeps_a = false;
};

/// Two tiles side by side read 1 KB of each row of a at once, and a keeps its place in L2 longest,
/// so that written lines of b leave first (docs/lab/constants.md#transpose). The rest of a slows
/// later kernels down until more has gone through L2, so the portable team does not.
template <class Word>
struct KeepingTile : LargeTile<Word> {
  static constexpr unsigned side_by_side = sizeof(Word) == 1 ? 1 : 2;
  static constexpr bool keeps_a = true;
};

template <bool keeps_a, class T>
__device__ Pack<T> load_pack_of_a(const T* from) {
#if __CUDA_ARCH__ >= 800
  if constexpr (keeps_a) {
    std::uint64_t policy;
    uint4 words;
    asm("createpolicy.fractional.L2::evict_last.b64 %0;" : "=l"(policy));
    asm("ld.global.nc.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
        : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
        : "l"(from), "l"(policy));
    return *reinterpret_cast<const Pack<T>*>(&words);
  } else
#endif
    return load_pack(from);
}

template <class W>
__global__ __launch_bounds__(W::threads, W::resident_blocks) void transpose_wide(
    std::size_t rows, std::size_t columns, const typename W::Word* __restrict__ a, std::size_t lda,
    typename W::Word* __restrict__ b, std::size_t ldb, TileShift shift) {
  using Word = typename W::Word;
  using Piece = typename W::Piece;
  // Every trip count below is a constant: loops over k unroll, their loads are in flight together.
  constexpr int V = W::V, height = W::height, threads = W::threads;
  constexpr int words = W::rows * W::columns;
  const int t = static_cast<int>(threadIdx.x);
  __shared__ alignas(16) Word tile[words];
  const Tile at = tile_of_block<W::side_by_side>(rows, columns, W::rows, W::columns, shift);
  const Word* const from = a + at.i * lda + at.j;
  Word* const to = b + at.j * ldb + at.i;

  if (at.height < W::rows ||
      at.width < W::columns) { // over the edge: word by word, still coalesced
#pragma unroll 8
    for (int k = 0; k < words / threads; ++k) {
      const unsigned e = k * threads + t, ii = e / W::columns, jj = e % W::columns;
      if (ii < at.height && jj < at.width) tile[W::word(jj, ii)] = from[ii * lda + jj];
    }
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < words / threads; ++k) {
      const unsigned e = k * threads + t, jj = e / W::rows, ii = e % W::rows;
      if (ii < at.height && jj < at.width) to[jj * ldb + ii] = tile[W::word(jj, ii)];
    }
    return;
  }

#pragma unroll
  for (int k = 0; k < W::patches / threads; ++k) {
    const int patch = k * threads + t, ii = patch / W::a_packs * height,
              jj = patch % W::a_packs * V;
    Pack<Word> in[height];
#pragma unroll
    for (int r = 0; r < height; ++r)
      in[r] = load_pack_of_a<W::keeps_a>(from + (ii + r) * lda + jj);
#pragma unroll
    for (int c = 0; c < V; ++c) {
      alignas(Piece) Word out[height];
#pragma unroll
      for (int r = 0; r < height; ++r)
        out[r] = in[r].value[c];
      *reinterpret_cast<Piece*>(&tile[W::word(jj + c, ii)]) = *reinterpret_cast<Piece*>(out);
    }
  }
  __syncthreads();
#pragma unroll
  for (int k = 0; k < W::columns * W::b_packs / threads; ++k) {
    const int e = k * threads + t, jj = e / W::b_packs, ii = e % W::b_packs * V;
    const uint4 out = *reinterpret_cast<const uint4*>(&tile[W::word(jj, ii)]);
    *reinterpret_cast<uint4*>(to + jj * ldb + ii) = out;
  }
}

} // namespace
} // namespace ado::bench::native
