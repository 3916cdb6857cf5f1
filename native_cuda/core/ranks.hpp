// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What calls on many ranks share: which ranks they are, and memory that is kept from one call to
// the next.
#pragma once

#include <ado/core/error.hpp>
#include <ado/distributed/comm.hpp>
#include <ado/registry/variant.hpp>

#include <cuda_runtime_api.h>
#include <native_cuda/core/launch.hpp>

#include <cstddef>

namespace ado::bench::native {

/// Of a call of the mini-app.
inline const distributed::Comm& comm_of(const Call& call) {
  return *static_cast<const distributed::Comm*>(call.queue.ranks);
}
/// How many they are, where there is no call yet: the mini-app takes all.
inline int count_of_ranks() {
  int size = 1;
  distributed::detail::check_mpi(MPI_Comm_size(MPI_COMM_WORLD, &size), "MPI_Comm_size");
  return size;
}

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

} // namespace ado::bench::native
