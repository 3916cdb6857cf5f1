// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the GPU for what a transpose on many ranks packs.
#pragma once

#include <ado/core/error.hpp>

#include <cuda_runtime_api.h>
#include <native_cuda/core/launch.hpp>

#include <cstddef>

namespace ado::native {

/// Grows, and is given back at its end.
class RankStaging {
public:
  RankStaging() = default;
  RankStaging(const RankStaging&) = delete;
  RankStaging& operator=(const RankStaging&) = delete;
  ~RankStaging() { static_cast<void>(cudaFree(memory_)); }

  std::byte* data() const { return static_cast<std::byte*>(memory_); }
  void reserve(std::size_t bytes) {
    if (bytes <= bytes_) return;
    check(cudaFree(memory_), "freeing the staging area");
    memory_ = nullptr;
    bytes_ = 0;
    if (cudaMalloc(&memory_, bytes) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      memory_ = nullptr;
      throw OutOfMemory("transpose on many ranks: staging area", bytes);
    }
    bytes_ = bytes;
  }

private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

} // namespace ado::native
