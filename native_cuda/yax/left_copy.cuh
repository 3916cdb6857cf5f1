// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The column-major copy of a in the workspace of row_per_thread_left and row_per_thread_batched.
#pragma once

#include <native_cuda/transpose/transpose.hpp>
#include <native_cuda/yax/row_per_thread.cuh>

namespace ado::bench::native {

template <class T>
void make_left_copy(const Call& call, cudaStream_t stream) {
  const Array& a = call.arrays[1];
  transpose(sizeof(T), call.shape[0], call.shape[1], a.data, a.stride[0], call.workspace,
            call.shape[0], stream);
}

/// launch_row_per_thread on the copy.
template <class T, class Kernel>
void launch_on_left_copy(const char* name, Kernel kernel, const Call& call, cudaStream_t stream) {
  const std::size_t rows = call.shape[0], columns = call.shape[1];
  T* const copy = static_cast<T*>(call.workspace);
  launch_row_per_thread<T>(name, kernel, call, copy, rows, copy + rows * columns, stream);
}

/// The partial sums, fewer than rows, take the place of one more column.
template <class T>
std::size_t left_copy_bytes(const Shape& s, const char* what) {
  return checked_product({s[0], s[1] + 1, sizeof(T)}, what);
}

} // namespace ado::bench::native
