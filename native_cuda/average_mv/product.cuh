// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of average_mv's `team`: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   block = a tile of y in registers: of its threads (product_fma.cuh) or of its warps'
//             tensor cores (product_mma.cuh)
//   scratch   two or three slices of 64 to 256 bytes of every row of a and of mean that the tile
//             needs: one is used while the next are copied, past the registers (product_slices.cuh)
//   bytes     reads a and mean once a row or column of tiles, from L2; writes y once
//   needs     any alignment; 16-byte copies where every row starts on a 16-byte boundary
#pragma once

#include <ado/average_mv/detail/plan.hpp>

#include <native_cuda/average_mv/product_fma.cuh>
#include <native_cuda/average_mv/product_mma.cuh>
#include <native_cuda/average_mv/product_slices.cuh>
#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>

#include <cstddef>
#include <type_traits>

namespace ado::native {

using namespace detail::product_plan;

template <class Tile, class T>
using SumsOf = std::conditional_t<Tile::by_tensor_cores, MmaSums<Tile, T>, FmaSums<Tile, T>>;

/// nvcc 13.0 takes no template of a class as an argument of an attribute.
template <class Tile, class T>
inline constexpr int product_blocks = Tile::template resident_teams<T>;

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
  SumsOf<Tile, T> sums;
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

/// Calls f with the tile for y of `length` rows and `sets` columns: f.operator()<Tile>().
template <class T, class F>
auto with_product_tile(std::size_t sets, std::size_t length, F&& f) {
  return tensor_cores_multiply<T>() ? with_tile<T, true>(length, sets, f)
                                    : with_tile<T, false>(length, sets, f);
}

template <class Tile, class T>
void launch_product(const Product<T>& p, cudaStream_t stream) {
  const std::size_t row_bytes = p.length * sizeof(T);
  const bool wide = is_wide(p.a, p.lda * sizeof(T)) && is_wide(p.mean, row_bytes);
  launch("multiply", wide ? multiply<Tile, true, T> : multiply<Tile, false, T>,
         tile_count<Tile>(p.length, p.sets), Tile::threads, 0, stream, p);
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
