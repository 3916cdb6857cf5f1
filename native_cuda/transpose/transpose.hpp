// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace ado::bench::native {

/// b[j * ldb + i] = a[i * lda + j] for a of rows x columns elements of 1, 2, 4, 8 or 16 bytes.
///
/// lda >= columns and ldb >= rows, in elements. Device pointers, aligned to the element or, from 8
/// bytes on, to half of it (a complex number to its parts); a and b must not overlap. Asynchronous
/// on `stream`; neither allocates nor synchronises. O(rows * columns); fastest where both pointers
/// and both leading dimensions (in bytes) are multiples of 16. Throws ado::InvalidArgument for
/// another element size or alignment, ado::Error, naming the kernel, where CUDA refuses the launch.
void transpose(std::size_t element_bytes, std::size_t rows, std::size_t columns, const void* a,
               std::size_t lda, void* b, std::size_t ldb, cudaStream_t stream);

} // namespace ado::bench::native
