// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of several and read_only, which differ in how they read. Their files have the cards.
#pragma once

#include <ado/cuda/variant.hpp>

#include <native_cuda/core/launch.hpp>
#include <native_cuda/vector_add/blocks.hpp>

namespace ado::bench::native {

inline constexpr int in_turn = 4; ///< elements of a thread, one after the other

/// One element; 64-bit integers as the type that __ldg has.
template <bool read_only, class T>
__device__ T read(const T* from) {
  if constexpr (!read_only)
    return *from;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return __ldg(reinterpret_cast<const unsigned long long*>(from));
  else
    return __ldg(from);
}

template <bool read_only, class T>
__global__ __launch_bounds__(add_threads) void vector_add_in_turn(std::size_t n, const T* a,
                                                                  const T* b, T* c) {
  constexpr std::size_t of_block = in_turn * add_threads;
  for (std::size_t first = blockIdx.x * of_block; first < n; first += gridDim.x * of_block) {
    if (first + of_block <= n) {
#pragma unroll
      for (int u = 0; u < in_turn; ++u) {
        const std::size_t i = first + u * add_threads + threadIdx.x;
        c[i] = read<read_only>(a + i) + read<read_only>(b + i);
      }
    } else {
      for (std::size_t i = first + threadIdx.x; i < n; i += add_threads)
        c[i] = read<read_only>(a + i) + read<read_only>(b + i);
    }
  }
}

template <bool read_only>
void launch_in_turn(const char* name, const Call& call, cudaStream_t stream) {
  with_addend(call.type, [&](auto zero) {
    using T = decltype(zero);
    const std::size_t n = call.shape[0];
    const std::size_t blocks = blocks_for(ceil_div(n, in_turn), call.launch.league_size, name);
    launch(name, vector_add_in_turn<read_only, T>, blocks, add_threads, 0, stream, n,
           call.arrays[0].as<const T>(), call.arrays[1].as<const T>(), call.arrays[2].as<T>());
  });
}

} // namespace ado::bench::native
