// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace ado::bench::native {

/// Bytes of workspace that `average` needs for N x L vectors of length M; 0 unless the vectors are
/// few and long.
template <class T>
std::size_t average_workspace_bytes(std::size_t sets, std::size_t length, std::size_t count);

/// mean[n * mean_stride + l] = (sum over m of v[n * set_stride + l * vector_stride + m]) / count,
/// for sets x length vectors of `count` elements. T: float, double.
///
/// Strides are in elements; `vector_stride` >= count, `mean_stride` >= length, any alignment.
/// Device pointers; asynchronous on `stream`; neither allocates nor synchronises. `workspace`:
/// device memory of average_workspace_bytes, aligned to 256 bytes, used until the call's work is
/// done. The mean of no elements is NaN. Deterministic, the same bits on every device. Work and
/// traffic are O(sets * length * count); each element is read once. Where these vectors are a part
/// of more, on many ranks say, `all` is their number in all: then the bits are those of a call for
/// all of them. 0: there are no others. Throws ado::Error, naming the kernel, where CUDA refuses a
/// launch.
template <class T>
void average(std::size_t sets, std::size_t length, std::size_t count, const T* v,
             std::size_t set_stride, std::size_t vector_stride, T* mean, std::size_t mean_stride,
             void* workspace, cudaStream_t stream, std::size_t all = 0);

/// Number of roundings on the longest path of a sum in `average`, the division included.
template <class T>
double average_rounding_steps(std::size_t sets, std::size_t length, std::size_t count);

} // namespace ado::bench::native
