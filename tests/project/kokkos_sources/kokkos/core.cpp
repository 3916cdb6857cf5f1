// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Macros.hpp> // refuses a compiler that is not nvcc

// With the signature that Kokkos before 4.7.01 uses.
cudaError_t prefer(const void* data, size_t bytes, int device) {
  return cudaMemAdvise(data, bytes, cudaMemAdviseSetPreferredLocation, device);
}
