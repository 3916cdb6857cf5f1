// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of average_mv's `team`: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   block = a tile of y in registers: of its threads (product_fma.cuh) or of its warps'
//             tensor cores (product_mma.cuh). Split-K where tiles are few: a warp for each split of
//             the columns of a (product_from_memory.cuh), or a block
//   scratch   two or three stages of 128 or 256 bytes of every row of a and of mean that the tile
//             needs: one is used while the next are copied, past the registers (product_stages.cuh)
//   bytes     reads a and mean once a row or column of tiles, from L2; writes y once, and before
//             that the sums of all splits
//   needs     any alignment; 16-byte copies where every row begins on a boundary of 16 bytes, of
//             doubles 32
#pragma once

#include <ado/average_mv/detail/product/plan.hpp>
#include <ado/core/checks.hpp>

#include <native_cuda/average_mv/product_fma.cuh>
#include <native_cuda/average_mv/product_from_memory.cuh>
#include <native_cuda/average_mv/product_mma.cuh>
#include <native_cuda/average_mv/product_stages.cuh>
#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>

#include <cstddef>
#include <type_traits>

namespace ado::bench::native {

template <class Tile, bool Shifted, class T>
using SumsOf = std::conditional_t<Tile::by == By::mma, MmaSums<Tile, Shifted, T>, FmaSums<Tile, T>>;

/// Copies of 4 bytes are slow, so floats take packs of 16 bytes, also from boundaries where no row
/// begins. Doubles would read the stages with conflicts then, and copies of 8 bytes cost less.
template <class Tile, bool Aligned, class T>
inline constexpr bool is_shifted = !Aligned && Tile::by == By::mma && sizeof(T) == 4;

/// First column of a split: whole stages, as evenly as can be.
template <int Depth>
__device__ unsigned begin_of(unsigned split, unsigned splits, std::size_t length) {
  const std::size_t stages = (length + Depth - 1) / Depth;
  return static_cast<unsigned>(stages * split / splits * Depth);
}

/// Aligned: rows of a and of mean are on_boundaries(). Block b has split b % splits of the columns.
template <class Tile, bool Aligned, class T>
__global__ __launch_bounds__(Tile::threads,
                             product_blocks<Tile, T>) void multiply(Product<T> p, unsigned splits) {
  using Stage = Stage<Tile, T>;
  constexpr int stage_count = Tile::stage_count;
  constexpr bool shifted = is_shifted<Tile, Aligned, T>;
  __shared__ Stage stages[stage_count];
  const unsigned tiles_down = static_cast<unsigned>((p.length + Tile::rows - 1) / Tile::rows);
  const unsigned tile = blockIdx.x / splits, split = blockIdx.x % splits;
  const std::size_t i0 = std::size_t{tile % tiles_down} * Tile::rows;
  const std::size_t n0 = std::size_t{tile / tiles_down} * Tile::columns;

  const Copies<Tile, Aligned || shifted ? pack_size<T> : 1, shifted, T> copies(p, i0, n0);
  SumsOf<Tile, shifted, T> sums(p, i0, n0);
  const unsigned end = begin_of<Stage::depth>(split + 1, splits, p.length);
  const auto start = [&](int stage, unsigned j) {
    if (j < end) copies.start(stages[stage], j);
    __pipeline_commit();
  };
  constexpr int ahead = stage_count - 1;
  unsigned j = begin_of<Stage::depth>(split, splits, p.length);
#pragma unroll
  for (int stage = 0; stage < ahead; ++stage)
    start(stage, j + stage * Stage::depth);
  int used = 0, next = ahead;
  for (; j < end; j += Stage::depth) {
    __pipeline_wait_prior(ahead - 1);
    __syncthreads(); // this stage is there for all, and nobody uses the one before any more
    start(next, j + ahead * Stage::depth);
    sums.add(stages[used]);
    next = used;
    used = used + 1 == stage_count ? 0 : used + 1;
  }
  if constexpr (is_split<Tile>)
    if (splits > 1) return sums.store_split(p, i0, n0, split);
  sums.store(p, i0, n0, stages);
}

/// y = the sum of all splits, in their order.
template <class T>
__global__ __launch_bounds__(256) void add_splits(Product<T> p, unsigned splits) {
  const std::size_t k = std::size_t{blockIdx.x} * 256 + threadIdx.x, all = p.length * p.sets;
  if (k >= all) return;
  double sum = p.split_sums[k];
  for (unsigned split = 1; split < splits; ++split)
    sum += p.split_sums[split * all + k];
  p.y[k / p.sets * p.y_row + k % p.sets] = static_cast<T>(sum);
}

/// Calls f with the tile for y of `length` rows and `sets` columns: f.operator()<Tile>().
template <class T, class F>
auto with_product_tile(std::size_t sets, std::size_t length, F&& f) {
  return tensor_cores_multiply<T>() ? with_tile<T, true>(length, sets, f)
                                    : with_tile<T, false>(length, sets, f);
}

template <class Tile, class T>
void launch_product(const Product<T>& p, cudaStream_t stream) {
  const bool aligned = on_boundaries<Tile>(p);
  const std::size_t tiles = tile_count<Tile>(p.length, p.sets);
  const std::size_t splits = split_count<Tile>(p.length, p.sets_of_all);
  if constexpr (Tile::by == By::from_memory)
    launch("multiply_from_memory",
           aligned ? multiply_from_memory<Tile, true, T> : multiply_from_memory<Tile, false, T>,
           tiles, Tile::threads, 0, stream, p);
  else
    launch("multiply", aligned ? multiply<Tile, true, T> : multiply<Tile, false, T>, tiles * splits,
           Tile::threads, 0, stream, p, static_cast<unsigned>(splits));
  if (splits > 1)
    launch("add_splits", add_splits<T>, ceil_div(p.length * p.sets, 256), 256, 0, stream, p,
           static_cast<unsigned>(splits));
}

/// Asynchronous on `stream`.
template <class T>
void product(const Product<T>& p, cudaStream_t stream) {
  with_product_tile<T>(p.sets_of_all, p.length,
                       [&]<class Tile>() { launch_product<Tile>(p, stream); });
}

/// Roundings on the longest path.
template <class T>
double product_steps(std::size_t sets, std::size_t length) {
  return with_product_tile<T>(sets, length,
                              [&]<class Tile>() { return Tile::template steps<T>(length); });
}

} // namespace ado::bench::native
