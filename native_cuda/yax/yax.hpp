// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace ado::native {

/// Bytes of workspace that `yax` needs; at most 512 KiB and 16 bytes.
template <class T>
std::size_t yax_workspace_bytes(std::size_t rows, std::size_t columns);

/// *result = sum over i of y[i] * (sum over j of a[i * lda + j] * x[j]). T: float, double.
///
/// lda >= columns, in elements; any alignment. Device pointers; asynchronous on `stream`; neither
/// allocates nor synchronises. `workspace`: device memory of yax_workspace_bytes, aligned to 256
/// bytes, used until the call's work is done; its first 16 bytes are zero before the first call, and each call leaves
/// them so. No rows or no columns give 0. Deterministic, the same
/// bits on every device. Work and traffic are O(rows * columns); each element of a is read once.
/// Throws ado::Error, naming the kernel, where CUDA refuses a launch.
template <class T>
void yax(std::size_t rows, std::size_t columns, const T* y, const T* a, std::size_t lda, const T* x,
         T* result, void* workspace, cudaStream_t stream);

/// Number of roundings on the longest path from a product to the result of `yax`.
template <class T>
double yax_rounding_steps(std::size_t rows, std::size_t columns);

} // namespace ado::native
