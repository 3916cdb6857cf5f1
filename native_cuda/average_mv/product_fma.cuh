// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of average_mv by multiply-adds: a thread has 8 x 4 or 4 x 4 elements of y in
// registers.
#pragma once

#include <native_cuda/average_mv/product_stages.cuh>
#include <native_cuda/core/device.cuh>

#include <cstddef>

namespace ado::bench::native {

/// A thread's elements of an FmaTile.
template <class Tile, class T>
class FmaSums {
  static constexpr int down = Tile::down, across = Tile::across, high = Tile::high;
  static constexpr int wide = Tile::wide, shares = Tile::shares, rows = Tile::rows;
  static constexpr int share_threads = Tile::share_threads, stage_count = Tile::stage_count;

public:
  __device__ FmaSums(const Product<T>&, std::size_t, std::size_t) {}

  __device__ void add(const Stage<Tile, T>& stage) {
    constexpr int each = Stage<Tile, T>::depth / shares;
    const int first = share() * each;
#pragma unroll
    for (int j = 0; j < each; j += pack_size<T>) {
      Pack<T> a[high], mean[wide];
#pragma unroll
      for (int r = 0; r < high; ++r)
        a[r] = pack_of(stage, row() + r * down, first + j);
#pragma unroll
      for (int c = 0; c < wide; ++c)
        mean[c] = pack_of(stage, rows + column() + c * across, first + j);
#pragma unroll
      for (int k = 0; k < pack_size<T>; ++k)
#pragma unroll
        for (int r = 0; r < high; ++r)
#pragma unroll
          for (int c = 0; c < wide; ++c)
            sum_[r][c] = fma(a[r].value[k], mean[c].value[k], sum_[r][c]);
    }
  }

  /// To be called by all threads when the stages are used up: the first share adds what the others
  /// have, through their memory, and stores.
  __device__ void store(const Product<T>& p, std::size_t i0, std::size_t n0,
                        Stage<Tile, T> (&stages)[stage_count]) {
    if constexpr (shares > 1) join(stages);
    if (share() > 0) return;
#pragma unroll
    for (int k = 0; k < high * wide; ++k) {
      const std::size_t i = i0 + row() + k / wide * down;
      const std::size_t n = n0 + column() + k % wide * across;
      if (i < p.length && n < p.sets) p.y[i * p.y_row + n] = sum_[k / wide][k % wide];
    }
  }

private:
  static __device__ int share() { return threadIdx.x / share_threads; }
  static __device__ int member() { return threadIdx.x % share_threads; }
  static __device__ int row() { return member() % down; }
  static __device__ int column() { return member() / down; }
  static __device__ Pack<T> pack_of(const Stage<Tile, T>& stage, int line, int j) {
    return *reinterpret_cast<const Pack<T>*>(&stage.element[line][j]);
  }

  __device__ void join(Stage<Tile, T> (&stages)[stage_count]) {
    using Others = T[high * wide][share_threads];
    static_assert(sizeof(stages) >= (shares - 1) * sizeof(Others));
    auto* const others = reinterpret_cast<Others*>(stages);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < high * wide; ++k)
      if (share() > 0) others[share() - 1][k][member()] = sum_[k / wide][k % wide];
    __syncthreads();
    if (share() > 0) return;
#pragma unroll
    for (int k = 0; k < high * wide; ++k)
#pragma unroll
      for (int other = 0; other < shares - 1; ++other)
        sum_[k / wide][k % wide] += others[other][k][member()];
  }

  T sum_[high][wide] = {};
};

} // namespace ado::bench::native
