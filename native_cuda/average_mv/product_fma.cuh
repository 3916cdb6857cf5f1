// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of average_mv by multiply-adds: a thread has 8 x 4 or 4 x 4 elements of y in
// registers.
#pragma once

#include <native_cuda/average_mv/product_slices.cuh>
#include <native_cuda/core/device.cuh>

#include <cstddef>

namespace ado::bench::native {

/// A thread's elements of a tile OfThreads.
template <class Tile, class T>
class FmaSums {
  static constexpr int down = Tile::down, across = Tile::across, high = Tile::high;
  static constexpr int wide = Tile::wide, groups = Tile::groups, rows = Tile::rows;
  static constexpr int group_threads = Tile::group_threads, slice_count = Tile::slice_count;

public:
  __device__ FmaSums(const Product<T>&, std::size_t, std::size_t) {}

  __device__ void add(const Slice<Tile, T>& slice) {
    constexpr int share = Slice<Tile, T>::depth / groups;
    const int first = group() * share;
#pragma unroll
    for (int j = 0; j < share; j += pack_size<T>) {
      Pack<T> a[high], mean[wide];
#pragma unroll
      for (int r = 0; r < high; ++r)
        a[r] = pack_of(slice, row() + r * down, first + j);
#pragma unroll
      for (int c = 0; c < wide; ++c)
        mean[c] = pack_of(slice, rows + column() + c * across, first + j);
#pragma unroll
      for (int k = 0; k < pack_size<T>; ++k)
#pragma unroll
        for (int r = 0; r < high; ++r)
#pragma unroll
          for (int c = 0; c < wide; ++c)
            sum_[r][c] = fma(a[r].value[k], mean[c].value[k], sum_[r][c]);
    }
  }

  /// To be called by all threads when the slices are used up: the first group adds what the others
  /// have, through their memory, and stores.
  __device__ void store(const Product<T>& p, std::size_t i0, std::size_t n0,
                        Slice<Tile, T> (&slices)[slice_count]) {
    if constexpr (groups > 1) join(slices);
    if (group() > 0) return;
#pragma unroll
    for (int k = 0; k < high * wide; ++k) {
      const std::size_t i = i0 + row() + k / wide * down;
      const std::size_t n = n0 + column() + k % wide * across;
      if (i < p.length && n < p.sets) p.y[i * p.ldy + n] = sum_[k / wide][k % wide];
    }
  }

private:
  static __device__ int group() { return threadIdx.x / group_threads; }
  static __device__ int member() { return threadIdx.x % group_threads; }
  static __device__ int row() { return member() % down; }
  static __device__ int column() { return member() / down; }
  static __device__ Pack<T> pack_of(const Slice<Tile, T>& slice, int line, int j) {
    return *reinterpret_cast<const Pack<T>*>(&slice.element[line][j]);
  }

  __device__ void join(Slice<Tile, T> (&slices)[slice_count]) {
    using Others = T[high * wide][group_threads];
    static_assert(sizeof(slices) >= (groups - 1) * sizeof(Others));
    auto* const others = reinterpret_cast<Others*>(slices);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < high * wide; ++k)
      if (group() > 0) others[group() - 1][k][member()] = sum_[k / wide][k % wide];
    __syncthreads();
    if (group() > 0) return;
#pragma unroll
    for (int k = 0; k < high * wide; ++k)
#pragma unroll
      for (int other = 0; other < groups - 1; ++other)
        sum_[k / wide][k % wide] += others[other][k][member()];
  }

  T sum_[high][wide] = {};
};

} // namespace ado::bench::native
