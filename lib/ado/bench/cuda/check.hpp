// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error checks for the instrument's calls to CUDA.
#pragma once

#include <ado/core/error.hpp>

#include <cuda_runtime_api.h>

#include <string>

namespace ado::bench {

/// Throws Error, saying `what` was being done, unless `status` is success.
inline void check_cuda(cudaError_t status, const std::string& what) {
  if (status != cudaSuccess) throw Error("CUDA, " + what + ": " + cudaGetErrorString(status));
}

} // namespace ado::bench
