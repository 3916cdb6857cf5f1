// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second stage of a deterministic sum: one block adds what the blocks of the first stage left.
#pragma once

#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>

#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>

#include <cstddef>

namespace ado::bench::native {

inline constexpr int sum_threads = 1024;

/// *result = sum of partial[0 .. count), by one block.
template <int Threads, class T>
__device__ void sum_by_block(const T* partial, std::size_t count, T* result) {
  T sum = 0;
#pragma unroll 4
  for (std::size_t i = threadIdx.x; i < count; i += Threads)
    sum += partial[i];
  sum = block_sum<Threads>(sum);
  if (threadIdx.x == 0) *result = sum;
}

template <int Threads, class T>
__global__ __launch_bounds__(Threads) void sum_block(const T* partial, std::size_t count,
                                                     T* result) {
  sum_by_block<Threads>(partial, count, result);
}

/// Whether all other blocks of the grid have come here before. All threads of a block call it,
/// once. The last block sees what thread 0 of each block wrote before. `arrived` is 0 before the
/// launch and behind it.
__device__ inline bool is_last_block(unsigned* arrived) {
  __shared__ bool is_last;
  if (threadIdx.x == 0) {
    __threadfence(); // what this block wrote is there before it arrives
    is_last = atomicInc(arrived, gridDim.x - 1) == gridDim.x - 1;
    __threadfence(); // what the others wrote is read after they arrived
  }
  __syncthreads();
  return is_last;
}

/// *result = sum of partial[0 .. count); 0 where there are none.
template <int Threads = sum_threads, class T>
void sum_partials(const T* partial, std::size_t count, T* result, cudaStream_t stream) {
  launch("sum_block", sum_block<Threads, T>, 1, Threads, 0, stream, partial, count, result);
}

/// Additions on the longest path of sum_by_block.
inline double sum_partials_steps(std::size_t count, std::size_t threads = sum_threads) {
  if (count == 0) return 0;
  return static_cast<double>(ceil_div(count, threads) - 1) +
         tree_depth(count < threads ? count : threads);
}

} // namespace ado::bench::native
