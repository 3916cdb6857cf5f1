// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Macros.hpp> // refuses a compiler that is not nvcc

__global__ void scale(double* x) { x[threadIdx.x] *= 2; }
