// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace ado::bench::native {

/// c[i] = a[i] + b[i] for i < n. T: float, double, std::uint32_t, std::uint64_t.
///
/// Any alignment; fastest where a, b and c are equally far from a boundary of 16 bytes. c must not
/// overlap a or b. Device pointers; asynchronous on `stream`; neither allocates nor synchronises.
/// O(n). Throws ado::Error, naming the kernel, where CUDA refuses the launch.
template <class T>
void vector_add(std::size_t n, const T* a, const T* b, T* c, cudaStream_t stream);

} // namespace ado::bench::native
