// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kokkos before 4.7.01 calls three runtime functions as CUDA 12 declared them. With these overloads
// it compiles under CUDA 13 too; cmake/KokkosBackends.cmake puts them in front of its files.
#pragma once
#include <cuda_runtime_api.h>

#if CUDART_VERSION >= 13000
inline cudaMemLocation ado_memory_of(int device) {
  return {device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, device};
}
inline cudaError_t cudaMemPrefetchAsync(const void* data, size_t bytes, int device,
                                        cudaStream_t stream) {
  return cudaMemPrefetchAsync(data, bytes, ado_memory_of(device), 0u, stream);
}
inline cudaError_t cudaMemAdvise(const void* data, size_t bytes, cudaMemoryAdvise advice,
                                 int device) {
  return cudaMemAdvise(data, bytes, advice, ado_memory_of(device));
}
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
#endif
