// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace ado::bench::native {

/// Bytes of workspace that `average_mv` needs: the means, and what `average` needs.
template <class T>
std::size_t average_mv_workspace_bytes(std::size_t sets, std::size_t length, std::size_t count);

/// y[i * ldy + n] = sum over j of a[i * lda + j] * mean[n][j], where mean[n][j] is the mean over m
/// of v[n * set_stride + j * vector_stride + m]; i and j run to `length`, n to `sets`, m to
/// `count`. T: float, double.
///
/// Strides are in elements; vector_stride >= count, lda >= length, ldy >= sets, any alignment.
/// Device pointers; asynchronous on `stream`; neither allocates nor synchronises. `workspace`:
/// device memory of average_mv_workspace_bytes, aligned to 256 bytes, used until the call's work is
/// done. Deterministic. O(sets * length * (count + length)); each element of v is read once.
/// Where these sets are a part of more, on many ranks say, `sets_of_all` is their number in all:
/// then the bits are those of a call for all of them. 0: there are no others. Throws ado::Error,
/// naming the kernel, where CUDA refuses a launch.
template <class T>
void average_mv(std::size_t sets, std::size_t length, std::size_t count, const T* v,
                std::size_t set_stride, std::size_t vector_stride, const T* a, std::size_t lda,
                T* y, std::size_t ldy, void* workspace, cudaStream_t stream,
                std::size_t sets_of_all = 0);

} // namespace ado::bench::native
