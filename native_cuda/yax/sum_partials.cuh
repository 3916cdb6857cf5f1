// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Second stage of a deterministic sum: one block adds what the blocks of the first stage left.
#pragma once

#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>

#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>

#include <cstddef>

namespace ado::native {

inline constexpr int sum_threads = 1024;

template <class T>
__global__ __launch_bounds__(sum_threads) void sum_block(const T* partial, std::size_t count,
                                                         T* result) {
  T sum = 0;
#pragma unroll 4
  for (std::size_t i = threadIdx.x; i < count; i += sum_threads)
    sum += partial[i];
  sum = block_sum<sum_threads>(sum);
  if (threadIdx.x == 0) *result = sum;
}

/// *result = sum of partial[0 .. count); 0 where there are none.
template <class T>
void sum_partials(const T* partial, std::size_t count, T* result, cudaStream_t stream) {
  launch("sum_block", sum_block<T>, 1, sum_threads, 0, stream, partial, count, result);
}

/// Additions on the longest path of sum_partials.
inline double sum_partials_steps(std::size_t count) {
  if (count == 0) return 0;
  return static_cast<double>(ceil_div(count, sum_threads) - 1) +
         tree_depth(count < sum_threads ? count : sum_threads);
}

} // namespace ado::native
