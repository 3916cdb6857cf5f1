// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuBLAS for one call. Files that include this are left out where the toolkit has no cuBLAS.
#pragma once

#include <ado/core/error.hpp>

#include <cublas_v2.h>
#include <native_cuda/core/launch.hpp>

#include <cstddef>
#include <map>
#include <string>

namespace ado::bench::native {

/// Throws Error, naming `what`, unless `status` is success.
inline void check(cublasStatus_t status, const char* what) {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw Error(std::string(what) + ": cuBLAS: " + cublasGetStatusString(status));
}

/// What NVIDIA recommends for Hopper; cuBLAS allocates memory of its own where it is given less.
inline constexpr std::size_t cublas_workspace_bytes = std::size_t{32} << 20;

/// A handle for calls on `stream`. The first use on a device makes it, which takes long; each host
/// thread has its own. `workspace`: device memory of cublas_workspace_bytes, aligned to 256 bytes,
/// used until the calls' work is done: with the caller's, streams do not share memory, so results
/// repeat bit by bit. Null for calls that need none.
inline cublasHandle_t cublas_handle(cudaStream_t stream, void* workspace = nullptr) {
  struct Handle {
    cublasHandle_t handle = nullptr;
    ~Handle() { cublasDestroy(handle); }
  };
  thread_local std::map<int, Handle> handles;
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  cublasHandle_t& handle = handles[device].handle;
  if (handle == nullptr) {
    check(cublasCreate(&handle), "cublasCreate");
    // The mode that computes float in float: tensor cores would round it to 11 bits (TF32).
    check(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH), "cublasSetMathMode");
  }
  check(cublasSetStream(handle, stream), "cublasSetStream"); // forgets an earlier workspace
  if (workspace != nullptr)
    check(cublasSetWorkspace(handle, workspace, cublas_workspace_bytes), "cublasSetWorkspace");
  return handle;
}

} // namespace ado::bench::native
