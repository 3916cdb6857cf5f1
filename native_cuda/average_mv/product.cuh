// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of average_mv's `team`: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   block = a tile of y in registers: of its threads (product_fma.cuh) or of its warps'
//             tensor cores (product_mma.cuh). Where tiles are few: a block for each part of the
//             columns of a, or a warp for each of its pieces (product_groups.cuh)
//   scratch   two or three slices of 64 to 256 bytes of every row of a and of mean that the tile
//             needs: one is used while the next are copied, past the registers (product_slices.cuh)
//   bytes     reads a and mean once a row or column of tiles, from L2; writes y once, and before
//             that the sums of all parts
//   needs     any alignment; 16-byte copies where every row begins on a boundary of 16 bytes, of
//             doubles 32
#pragma once

#include <ado/average_mv/detail/plan.hpp>
#include <ado/core/checks.hpp>

#include <native_cuda/average_mv/product_fma.cuh>
#include <native_cuda/average_mv/product_groups.cuh>
#include <native_cuda/average_mv/product_mma.cuh>
#include <native_cuda/average_mv/product_slices.cuh>
#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>

#include <cstddef>
#include <type_traits>

namespace ado::bench::native {

using namespace detail::product_plan;

template <class Tile, bool Shifted, class T>
using SumsOf =
    std::conditional_t<Tile::by_tensor_cores, MmaSums<Tile, Shifted, T>, FmaSums<Tile, T>>;

/// nvcc 13.0 takes no template of a class as an argument of an attribute.
template <class Tile, class T>
inline constexpr int product_blocks = Tile::template resident_teams<T>;

/// Copies of 4 bytes are slow, so floats take packs of 16 bytes, also from boundaries where no row
/// begins. Doubles would read the slices with conflicts then, and copies of 8 bytes cost less.
template <class Tile, bool Wide, class T>
inline constexpr bool is_shifted = !Wide && Tile::by_tensor_cores && sizeof(T) == 4;

/// First column of a part: whole slices, as evenly as can be.
template <int Depth>
__device__ unsigned begin_of(unsigned part, unsigned parts, std::size_t length) {
  const std::size_t slices = (length + Depth - 1) / Depth;
  return static_cast<unsigned>(slices * part / parts * Depth);
}

/// Wide: rows of a and of mean are on_boundaries(). Block b has part b % parts of the columns of a.
template <class Tile, bool Wide, class T>
__global__ __launch_bounds__(Tile::threads, product_blocks<Tile, T>) void multiply(Product<T> p,
                                                                                   unsigned parts) {
  using Slice = Slice<Tile, T>;
  constexpr int slice_count = Tile::slice_count;
  constexpr bool shifted = is_shifted<Tile, Wide, T>;
  __shared__ Slice slices[slice_count];
  const unsigned tiles_down = static_cast<unsigned>((p.length + Tile::rows - 1) / Tile::rows);
  const unsigned tile = blockIdx.x / parts, part = blockIdx.x % parts;
  const std::size_t i0 = std::size_t{tile % tiles_down} * Tile::rows;
  const std::size_t n0 = std::size_t{tile / tiles_down} * Tile::columns;

  const Copies<Tile, Wide || shifted ? pack_size<T> : 1, shifted, T> copies(p, i0, n0);
  SumsOf<Tile, shifted, T> sums(p, i0, n0);
  const unsigned end = begin_of<Slice::depth>(part + 1, parts, p.length);
  const auto start = [&](int slice, unsigned j) {
    if (j < end) copies.start(slices[slice], j);
    __pipeline_commit();
  };
  constexpr int ahead = slice_count - 1;
  unsigned j = begin_of<Slice::depth>(part, parts, p.length);
#pragma unroll
  for (int slice = 0; slice < ahead; ++slice)
    start(slice, j + slice * Slice::depth);
  int used = 0, next = ahead;
  for (; j < end; j += Slice::depth) {
    __pipeline_wait_prior(ahead - 1);
    __syncthreads(); // this slice is there for all, and nobody uses the one before any more
    start(next, j + ahead * Slice::depth);
    sums.add(slices[used]);
    next = used;
    used = used + 1 == slice_count ? 0 : used + 1;
  }
  if constexpr (Tile::by_tensor_cores)
    if (parts > 1) return sums.store_part(p, i0, n0, part);
  sums.store(p, i0, n0, slices);
}

/// y = the sum of all parts, in their order.
template <class T>
__global__ __launch_bounds__(256) void add_parts(Product<T> p, unsigned parts) {
  const std::size_t k = std::size_t{blockIdx.x} * 256 + threadIdx.x, all = p.length * p.sets;
  if (k >= all) return;
  double sum = p.partial[k];
  for (unsigned part = 1; part < parts; ++part)
    sum += p.partial[part * all + k];
  p.y[k / p.sets * p.ldy + k % p.sets] = static_cast<T>(sum);
}

/// Calls f with the tile for y of `length` rows and `sets` columns: f.operator()<Tile>().
template <class T, class F>
auto with_product_tile(std::size_t sets, std::size_t length, F&& f) {
  return tensor_cores_multiply<T>() ? with_tile<T, true>(length, sets, f)
                                    : with_tile<T, false>(length, sets, f);
}

template <class Tile, class T>
void launch_product(const Product<T>& p, cudaStream_t stream) {
  const bool wide = on_boundaries<Tile>(p.a, p.lda, p.mean, p.length);
  const std::size_t tiles = tile_count<Tile>(p.length, p.sets);
  const std::size_t parts = part_count<Tile>(p.length, p.sets_of_all);
  if constexpr (Tile::from_memory)
    launch("multiply_groups",
           wide ? multiply_groups<Tile, true, T> : multiply_groups<Tile, false, T>, tiles,
           Tile::threads, 0, stream, p);
  else
    launch("multiply", wide ? multiply<Tile, true, T> : multiply<Tile, false, T>, tiles * parts,
           Tile::threads, 0, stream, p, static_cast<unsigned>(parts));
  if (parts > 1)
    launch("add_parts", add_parts<T>, ceil_div(p.length * p.sets, 256), 256, 0, stream, p,
           static_cast<unsigned>(parts));
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
