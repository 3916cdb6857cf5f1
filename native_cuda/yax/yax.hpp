// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <ado/yax/cuda_plan.hpp>

#include <cuda_runtime_api.h>
#include <native_cuda/core/device.cuh>

#include <cstddef>

namespace ado::bench::native {

/// Bytes of workspace that `yax` needs; at most 512 KiB and 16 bytes.
template <class T>
std::size_t yax_workspace_bytes(std::size_t rows, std::size_t columns);

/// Zeros the counter in a workspace; asynchronous on `stream`.
void yax_prepare(void* workspace, cudaStream_t stream);

/// *result = sum over i of y[i] * (sum over j of a[i * lda + j] * x[j]). T: float, double.
///
/// lda >= columns, in elements; any alignment. Device pointers; asynchronous on `stream`; neither
/// allocates nor synchronises. `workspace`: device memory of yax_workspace_bytes, aligned to 256
/// bytes, used until the call's work is done. yax_prepare() makes it ready before the first call;
/// each call leaves it so. No rows or no columns give 0. Deterministic, the same bits on every
/// device. Work and traffic are O(rows * columns); each element of a is read once. Throws
/// ado::Error, naming the kernel, where CUDA refuses a launch.
template <class T>
void yax(std::size_t rows, std::size_t columns, const T* y, const T* a, std::size_t lda, const T* x,
         T* result, void* workspace, cudaStream_t stream);

// The two steps of yax, for ranks that have some rows each: device pointers, asynchronous on
// `stream`. Together they give the bits of yax, wherever rows are parted that begin a tile. `tiles`
// are those of the whole: yax_cuda_tiles().

/// The rows of one rank, and x, which all have.
template <class T>
struct YaxRows {
  std::size_t rows, columns;
  const T *y, *a;
  std::size_t lda;
  const T* x;
};

/// Whether 16-byte loads can read them. It has to be so for all ranks or none, as it decides the
/// order of summation.
template <class T>
bool reads_wide(const YaxRows<T>& p) {
  return is_wide(p.a, p.lda * sizeof(T)) && is_wide(p.x, 0);
}

/// sums[t] = sum over tile t of these rows. With `arrived`, a counter of 0, the last block also
/// writes *result.
template <class T>
void yax_tile_sums(const YaxCudaTiles& tiles, const YaxRows<T>& p, bool wide, T* sums,
                   cudaStream_t stream, unsigned* arrived = nullptr, T* result = nullptr);

/// *result from the sums of all tiles of `rows` x `columns`. Reads y, all of it, where rows are cut
/// in pieces.
template <class T>
void yax_join(const YaxCudaTiles& tiles, std::size_t rows, std::size_t columns, const T* y,
              const T* sums, T* result, cudaStream_t stream);

/// Number of roundings on the longest path from a product to the result of `yax`.
template <class T>
double yax_rounding_steps(std::size_t rows, std::size_t columns);

} // namespace ado::bench::native
