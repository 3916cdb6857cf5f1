// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launching a kernel and noticing when that fails.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/error.hpp>
#include <ado/registry/variant.hpp>

#include <cuda_runtime.h>

#include <cstddef>
#include <string>

namespace ado::bench::native {

/// Largest gridDim.x of every supported device.
inline constexpr std::size_t max_blocks = 2147483647;

/// Throws Error, naming `what`, unless `status` is success.
inline void check(cudaError_t status, const std::string& what) {
  if (status == cudaSuccess) return;
  cudaGetLastError(); // the throw reports it; the next caller must not find it again
  throw Error(what + ": " + cudaGetErrorString(status));
}

/// Launches `blocks` blocks of `threads` threads on `stream`, asynchronously; no blocks, no launch.
/// Throws Error, naming the kernel, where the grid is too large or CUDA refuses the launch.
template <class... Parameters, class... Arguments>
void launch(const char* name, void (*kernel)(Parameters...), std::size_t blocks, unsigned threads,
            std::size_t shared_bytes, cudaStream_t stream, Arguments... arguments) {
  if (blocks == 0) return;
  if (blocks > max_blocks)
    throw Error(std::string("CUDA kernel ") + name + ": " + std::to_string(blocks) +
                " blocks exceed the grid limit of " + std::to_string(max_blocks));
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(threads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...),
        std::string("CUDA kernel ") + name);
}

/// Blocks of so many threads that the current device holds at once, if their registers let it.
inline int blocks_of_full_device(unsigned threads) {
  int device = 0, multiprocessors = 0, threads_of_each = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "asking for the multiprocessors");
  check(cudaDeviceGetAttribute(&threads_of_each, cudaDevAttrMaxThreadsPerMultiProcessor, device),
        "asking for the threads of a multiprocessor");
  return multiprocessors * (threads_of_each / static_cast<int>(threads));
}

/// Threads of a block of `kernel`: what `launch` asks for, else `usual`. Throws InvalidArgument,
/// naming the kernel, where more are asked for than its registers allow, or no multiple of `lanes`.
template <class... Parameters>
unsigned block_size(const char* name, void (*kernel)(Parameters...), const Launch& launch,
                    unsigned usual, int lanes = 1) {
  if (launch.team_size == 0) return usual;
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), std::string("CUDA kernel ") + name);
  check_team_size(launch.team_size, lanes, attributes.maxThreadsPerBlock, name);
  return static_cast<unsigned>(launch.team_size);
}

} // namespace ado::bench::native
