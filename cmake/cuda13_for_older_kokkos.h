// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kokkos before 4.7.01 calls three runtime functions as CUDA 12 declared them. With these overloads
// its headers compile under CUDA 13 too. For the compile-only target portable_as_cuda; nothing runs
// it.
#pragma once
#include <cuda_runtime_api.h>

#if CUDART_VERSION >= 13000
inline cudaError_t cudaMemPrefetchAsync(const void* data, size_t bytes, int device,
                                        cudaStream_t stream) {
  return cudaMemPrefetchAsync(data, bytes, cudaMemLocation{cudaMemLocationTypeDevice, device}, 0u,
                              stream);
}
inline cudaError_t cudaMemAdvise(const void* data, size_t bytes, cudaMemoryAdvise advice,
                                 int device) {
  return cudaMemAdvise(data, bytes, advice, cudaMemLocation{cudaMemLocationTypeDevice, device});
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
#endif
