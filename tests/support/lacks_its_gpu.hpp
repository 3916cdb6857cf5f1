// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace ado::bench {

/// Whether a program built for CUDA finds no device; Kokkos would end it.
inline bool lacks_its_gpu() {
#ifdef KOKKOS_ENABLE_CUDA
  int count = 0;
  return cudaGetDeviceCount(&count) != cudaSuccess || count == 0;
#else
  return false;
#endif
}

} // namespace ado::bench
