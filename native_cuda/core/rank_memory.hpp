// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that calls on many ranks keep from one to the next.
#pragma once

#include <ado/core/error.hpp>

#include <cuda_runtime_api.h>
#include <native_cuda/core/launch.hpp>

#include <cstddef>

namespace ado::native {

/// Of the GPU, or page-locked memory of the host; grows, and is given back at its end.
template <bool on_host>
class RankMemory {
public:
  RankMemory() = default;
  RankMemory(const RankMemory&) = delete;
  RankMemory& operator=(const RankMemory&) = delete;
  ~RankMemory() { static_cast<void>(free()); }

  std::byte* data() const { return static_cast<std::byte*>(memory_); }
  void reserve(std::size_t bytes) {
    if (bytes <= bytes_) return;
    check(free(), "freeing the staging area");
    memory_ = nullptr;
    bytes_ = 0;
    if ((on_host ? cudaMallocHost(&memory_, bytes) : cudaMalloc(&memory_, bytes)) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      memory_ = nullptr;
      throw OutOfMemory("a call on many ranks: staging area", bytes);
    }
    bytes_ = bytes;
  }

private:
  cudaError_t free() const { return on_host ? cudaFreeHost(memory_) : cudaFree(memory_); }

  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

/// What is packed for other ranks.
using RankStaging = RankMemory<false>;

} // namespace ado::native
