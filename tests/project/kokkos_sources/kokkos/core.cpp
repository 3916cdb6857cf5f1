// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Macros.hpp> // refuses a compiler that is not nvcc

// As Kokkos before 4.7.01 calls it.
cudaError_t prefer(const void* data, size_t bytes, int device) {
  return cudaMemAdvise(data, bytes, cudaMemAdviseSetPreferredLocation, device);
}
