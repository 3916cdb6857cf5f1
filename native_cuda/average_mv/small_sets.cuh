// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, both steps in one kernel, for sets of few short vectors:
//   mapping   block = 256 threads = 16 sets; averaging: a vector to 1, 4 or 16 lanes by its length;
//             product: a thread an element of y, sets side by side
//   scratch   the means of the sets, 4 KB at most in float
//   bytes     reads v once, writes y once; a from cache
//   needs     any alignment
//   teaches   where a tile of the product would be mostly empty and the means are as large as what
//             they are made of, they had better not go to memory
#pragma once

#include <ado/core/checks.hpp>

#include <native_cuda/average_mv/product.cuh>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/core/rows.cuh>

#include <cstddef>

namespace ado::native {

inline constexpr std::size_t sets_per_block = 16, most_small_vectors = 16;
inline constexpr int most_small_lanes = 16;
/// Fewer would leave multiprocessors without a block. H200, 1024 sets of 16 x 256 f32: 0.013 ms;
/// averaging and cuBLAS 0.0095.
inline constexpr std::size_t least_small_sets = 8192;

/// Whether this kernel is the one for `sets` sets of `vectors` vectors that `map` maps to lanes.
inline bool are_small(std::size_t sets, std::size_t vectors, const RowMapping& map) {
  return sets >= least_small_sets && vectors <= most_small_vectors && map.lanes <= most_small_lanes;
}

/// `mean` of p is not used.
template <int Lanes, bool Wide, class T>
__global__ __launch_bounds__(row_threads) void small_sets(const T* v, std::size_t set_stride,
                                                          std::size_t vector_stride,
                                                          std::size_t length, Product<T> p) {
  // One element apart from a power of two: lanes that read one below the other meet no bank twice.
  __shared__ T mean[sets_per_block][most_small_vectors + 1];
  const auto vectors = static_cast<unsigned>(p.vectors);
  const std::size_t first = std::size_t{blockIdx.x} * sets_per_block;
  const auto sets = static_cast<unsigned>(min(p.sets - first, sets_per_block));
  for (unsigned start = 0; start < sets * vectors; start += row_threads / Lanes) {
    const unsigned row = start + threadIdx.x / Lanes, lane = threadIdx.x % Lanes;
    const unsigned set = row / vectors, l = row - set * vectors;
    T sum = 0;
    if (set < sets)
      sum = lane_sum<Lanes, Wide>(v + (first + set) * set_stride + l * vector_stride, length, lane,
                                  Elements{});
    sum = row_sum<Lanes>(sum);
    if (set < sets && lane == 0) mean[set][l] = sum / static_cast<T>(length);
  }
  __syncthreads();
  for (unsigned e = threadIdx.x; e < sets * vectors; e += row_threads) {
    const unsigned i = e / sets, set = e - i * sets;
    T sum = 0;
    for (unsigned j = 0; j < vectors; ++j)
      sum = fma(p.a[i * p.lda + j], mean[set][j], sum);
    p.y[i * p.ldy + first + set] = sum;
  }
}

/// Asynchronous on `stream`.
template <class T>
void average_and_multiply(const RowMapping& map, const T* v, std::size_t set_stride,
                          std::size_t vector_stride, std::size_t length, const Product<T>& p,
                          cudaStream_t stream) {
  const bool wide = is_wide(v, vector_stride * sizeof(T)) && is_wide(v, set_stride * sizeof(T));
  with_row_mapping(map.lanes, wide, [&]<int Lanes, bool Wide>() {
    if constexpr (Lanes <= most_small_lanes)
      launch("small_sets", small_sets<Lanes, Wide, T>, ceil_div(p.sets, sets_per_block),
             row_threads, 0, stream, v, set_stride, vector_stride, length, p);
  });
}

} // namespace ado::native
