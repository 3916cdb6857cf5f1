// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of coalesced, which wide too takes where it must move single elements.
#pragma once

#include <ado/cuda/variant.hpp>

#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/vector_add/blocks.hpp>

namespace ado::bench::native {

template <class T>
__global__ __launch_bounds__(add_threads) void vector_add_elements(std::size_t n, const T* a,
                                                                   const T* b, T* c) {
  const std::size_t threads = std::size_t{gridDim.x} * add_threads;
  for (std::size_t i = std::size_t{blockIdx.x} * add_threads + threadIdx.x; i < n; i += threads)
    c[i] = a[i] + b[i];
}

template <class T>
void launch_elements(const char* name, const Call& call, cudaStream_t stream) {
  const std::size_t n = call.shape[0];
  launch(name, vector_add_elements<T>, blocks_for(n, call.launch.league_size, name), add_threads, 0,
         stream, n, call.arrays[0].as<const T>(), call.arrays[1].as<const T>(),
         call.arrays[2].as<T>());
}

} // namespace ado::bench::native
