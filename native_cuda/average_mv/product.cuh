// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of average_mv's `team`: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   block = a tile of y in registers: of its threads (product_fma.cuh) or of its warps'
//             tensor cores (product_mma.cuh)
//   scratch   two or three slices of 64 to 256 bytes of every row of a and of mean that the tile
//             needs: one is used while the next are copied, past the registers (product_slices.cuh)
//   bytes     reads a and mean once a row or column of tiles, from L2; writes y once
//   needs     any alignment; 16-byte copies where every row starts on a 16-byte boundary
#pragma once

#include <ado/core/checks.hpp>

#include <native_cuda/average_mv/product_fma.cuh>
#include <native_cuda/average_mv/product_mma.cuh>
#include <native_cuda/average_mv/product_slices.cuh>
#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>

#include <cstddef>

namespace ado::native {

/// More elements a thread mean fewer reads of shared memory an operation, more groups more threads
/// where tiles are few, and rows beyond those of y are work for nothing. H200, ms of f32 / f64:
///   L x N              16 x 2^20      32 x 2^20      512 x 512      1024 x 1024    2048 x 8192
///   LargeTile          0.577 / 0.773  0.548 / 1.119  0.020 / 0.036  0.062 / 0.133  1.83 / 4.13
///   ManyTile           0.590 / 0.790  0.597 / 1.148  0.021 / 0.035  0.070 / 0.120  1.73 / 3.57
///   SmallTile          0.540 / 0.618  0.322 / 0.364  0.013 / 0.023  0.078 / 0.151  2.21 / 4.47
///   FlatTile           0.154 / 0.275  0.172 / 0.252  0.025 / 0.047  0.078 / 0.148  2.33 / 4.37
/// cuBLAS takes 0.066 at 1024 x 1024 and 0.024 at 512 x 512 of f32.
using LargeTile = FmaTile<16, 8, 4, 128, 2>; // 64 x 64
using ManyTile = FmaTile<16, 8, 4, 128, 1>;
using SmallTile = FmaTile<8, 4, 4, 256, 4>; // 32 x 32
using FlatTile = FmaTile<32, 4, 4, 64, 1>;  // 32 x 128
/// Where tensor cores multiply. H200, us of f32 / f64 (and f32 by multiply-adds, the best tile):
///   L x N              16 x 2^20   32 x 2^20   256 x 256    512 x 512    1024 x 1024  2048 x 8192
///   LargeMma           594 / 532   583 / 761   11.0 / 11.7  18.4 / 19.4  48.3 / 54.2  1226 / 1385
///   DeepMma                                    11.4 / 12.9  19.5 / 22.1  49.2 / 48.5  1323 / 1510
///   SmallMma           548 / 440   183 / 242   5.6 / 6.1    11.4 / 12.1  65.9 / 83.7  1451 / 1868
///   FlatMma            93 / 99
///   SlimMma            221 / 122   185 / 238   5.2 / 6.8    12.8 / 15.1  77.0 / 104   2336 / 2995
///   multiply-adds      151         165         5.7          13.0         58.9         1685
/// cuBLAS takes 8.6, 8.8, 41.5 and 1250 us of the last four in f64.
using LargeMma = MmaTile<2, 4, 2, 2, 128, 2>; // 64 x 64
using DeepMma = MmaTile<2, 4, 2, 2, 64, 3>;   // the same, for doubles where tiles are not too many
using SmallMma = MmaTile<1, 2, 2, 2, 128, 3>; // 32 x 32
using FlatMma = MmaTile<1, 8, 1, 2, 64, 2>;   // 16 x 128
using SlimMma = MmaTile<1, 1, 1, 4, 128, 2>;  // 16 x 32
inline constexpr std::size_t few_tiles = 128, many_tiles = 512;

/// nvcc 13.0 takes no template of a class as an argument of an attribute.
template <class Tile, class T>
inline constexpr int product_blocks = Tile::template blocks<T>;

/// Wide: rows of a and of mean are multiples of 16 bytes long and start on boundaries of 16.
template <class Tile, bool Wide, class T>
__global__ __launch_bounds__(Tile::threads, product_blocks<Tile, T>) void multiply(Product<T> p) {
  using Slice = Slice<Tile, T>;
  constexpr int slice_count = Tile::slice_count;
  __shared__ Slice slices[slice_count];
  const unsigned tiles_down = static_cast<unsigned>((p.length + Tile::rows - 1) / Tile::rows);
  const std::size_t i0 = std::size_t{blockIdx.x % tiles_down} * Tile::rows;
  const std::size_t n0 = std::size_t{blockIdx.x / tiles_down} * Tile::columns;

  const Copies<Tile, Wide ? pack_size<T> : 1, T> copies(p, i0, n0);
  typename Tile::template Sums<T> sums;
  const auto start = [&](int slice, std::size_t j) {
    if (j < p.length) copies.start(slices[slice], j);
    __pipeline_commit();
  };
  constexpr int ahead = slice_count - 1;
#pragma unroll
  for (int slice = 0; slice < ahead; ++slice)
    start(slice, static_cast<std::size_t>(slice * Slice::depth));
  int used = 0, next = ahead;
  for (std::size_t j = 0; j < p.length; j += Slice::depth) {
    __pipeline_wait_prior(ahead - 1);
    __syncthreads(); // this slice is there for all, and nobody uses the one before any more
    start(next, j + ahead * Slice::depth);
    sums.add(slices[used]);
    next = used;
    used = used + 1 == slice_count ? 0 : used + 1;
  }
  sums.store(p, i0, n0, slices);
}

template <class Tile>
std::size_t tile_count(std::size_t sets, std::size_t length) {
  return ceil_div(length, Tile::rows) * ceil_div(sets, Tile::columns);
}
/// Calls f with the tile for y of `length` rows and `sets` columns: f.operator()<Tile>().
template <class T, class F>
auto with_product_tile(std::size_t sets, std::size_t length, F&& f) {
  if (tensor_cores_multiply<T>()) {
    const std::size_t tiles = tile_count<LargeMma>(sets, length);
    const bool few = tiles < few_tiles;
    if (length <= FlatMma::rows)
      return few ? f.template operator()<SlimMma>() : f.template operator()<FlatMma>();
    if (few || length <= SmallMma::rows) return f.template operator()<SmallMma>();
    if constexpr (sizeof(T) == 8)
      if (tiles <= many_tiles) return f.template operator()<DeepMma>();
    return f.template operator()<LargeMma>();
  }
  const std::size_t tiles = tile_count<LargeTile>(sets, length);
  if (length <= FlatTile::rows && tile_count<FlatTile>(sets, length) >= few_tiles)
    return f.template operator()<FlatTile>();
  if (tiles < few_tiles || length <= FlatTile::rows) return f.template operator()<SmallTile>();
  if (sizeof(T) == 8 || tiles >= many_tiles) return f.template operator()<ManyTile>();
  return f.template operator()<LargeTile>();
}

template <class Tile, class T>
void launch_product(const Product<T>& p, cudaStream_t stream) {
  const std::size_t row_bytes = p.length * sizeof(T);
  const bool wide = is_wide(p.a, p.lda * sizeof(T)) && is_wide(p.mean, row_bytes);
  launch("multiply", wide ? multiply<Tile, true, T> : multiply<Tile, false, T>,
         tile_count<Tile>(p.sets, p.length), Tile::threads, 0, stream, p);
}

/// Asynchronous on `stream`.
template <class T>
void product(const Product<T>& p, cudaStream_t stream) {
  with_product_tile<T>(p.sets, p.length, [&]<class Tile>() { launch_product<Tile>(p, stream); });
}

/// Roundings on the longest path.
template <class T>
double product_steps(std::size_t sets, std::size_t length) {
  return with_product_tile<T>(sets, length,
                              [&]<class Tile>() { return Tile::template steps<T>(length); });
}

} // namespace ado::native
