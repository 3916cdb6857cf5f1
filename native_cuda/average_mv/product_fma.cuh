// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tiles of average_mv's product by multiply-adds: a thread has 8 x 4 or 4 x 4 elements of y in
// registers.
#pragma once

#include <ado/core/checks.hpp>

#include <native_cuda/average_mv/product_slices.cuh>
#include <native_cuda/core/device.cuh>

#include <cstddef>

namespace ado::native {

/// How the threads of a block share a tile of y: groups of 8 x Across threads, each of them with
/// High x Wide elements; a group takes its share of the columns of every slice. In a warp 8 threads
/// stand one below the other: with rows of scratch 16 bytes longer than the slice, what they read
/// meets no bank twice.
template <int Across, int High, int Wide, int SliceBytes, int Groups>
struct FmaTile {
  static constexpr int down = 8, across = Across, high = High, wide = Wide, groups = Groups;
  static constexpr int group_threads = down * across, threads = groups * group_threads;
  static constexpr int rows = down * high, columns = across * wide;
  static constexpr int slice_bytes = SliceBytes, slice_count = 2;
  template <class T>
  static constexpr int padding = 16 / static_cast<int>(sizeof(T));
  /// Blocks that a multiprocessor must hold at once; bounds the registers, of which sums of 128 bytes
  /// a thread leave room for 512 threads.
  template <class T>
  static constexpr int blocks = (high * wide * sizeof(T) <= 128 ? 512 : 256) / threads;

  /// Roundings on the longest path: the multiply-adds of the first group, then one addition for each
  /// other group that has columns.
  template <class T>
  static double steps(std::size_t length) {
    constexpr std::size_t depth = slice_bytes / sizeof(T), share = depth / groups;
    const std::size_t rest = length % depth;
    const std::size_t of_first = length / depth * share + (rest < share ? rest : share);
    const std::size_t used = length < depth ? ceil_div(length, share) : groups;
    return static_cast<double>(of_first + used) - 1;
  }

  /// A thread's elements of the tile.
  template <class T>
  class Sums {
  public:
    __device__ void add(const Slice<FmaTile, T>& slice) {
      constexpr int share = Slice<FmaTile, T>::depth / groups;
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
                          Slice<FmaTile, T> (&slices)[slice_count]) {
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
    static __device__ Pack<T> pack_of(const Slice<FmaTile, T>& slice, int line, int j) {
      return *reinterpret_cast<const Pack<T>*>(&slice.element[line][j]);
    }

    __device__ void join(Slice<FmaTile, T> (&slices)[slice_count]) {
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
};

} // namespace ado::native
