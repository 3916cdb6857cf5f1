// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flat loop nest of yax: what row_per_thread and row_per_thread_left differ in is how a lies in
// memory. row_per_thread_batched has a kernel of its own, and the launch of this one.
#pragma once

#include <ado/cuda/variant.hpp>

#include <native_cuda/yax/sum_partials.cuh>

namespace ado::bench::native {

inline constexpr int rows_a_block = 256;

/// Element (i, j) of a is a[i * ld + j], or where `left` a[j * ld + i].
template <bool left, class T>
__global__ void row_per_thread(std::size_t rows, std::size_t columns, const T* y, const T* a,
                               std::size_t ld, const T* x, T* partial) {
  const std::size_t i = std::size_t{blockIdx.x} * rows_a_block + threadIdx.x;
  T dot = 0;
  if (i < rows)
    for (std::size_t j = 0; j < columns; ++j)
      dot = fma(left ? a[j * ld + i] : a[i * ld + j], x[j], dot);
  const T sum = block_sum<rows_a_block>(i < rows ? y[i] * dot : T(0));
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

/// `partial`: row_per_thread_blocks(rows) elements of workspace.
inline std::size_t row_per_thread_blocks(std::size_t rows) { return ceil_div(rows, rows_a_block); }

/// `kernel`: row_per_thread, or one that takes the same.
template <class T, class Kernel>
void launch_row_per_thread(const char* name, Kernel kernel, const Call& call, const T* a,
                           std::size_t ld, T* partial, cudaStream_t stream) {
  const std::size_t rows = call.shape[0], columns = call.shape[1];
  const std::size_t blocks = row_per_thread_blocks(rows);
  launch(name, kernel, blocks, rows_a_block, 0, stream, rows, columns, call.arrays[0].as<const T>(),
         a, ld, call.arrays[2].as<const T>(), partial);
  sum_partials(partial, blocks, call.arrays[3].as<T>(), stream);
}

inline double row_per_thread_steps(std::size_t rows, std::size_t columns) {
  const double in_block = tree_depth(rows < rows_a_block ? rows : rows_a_block);
  return static_cast<double>(columns) + 1 + in_block +
         sum_partials_steps(row_per_thread_blocks(rows));
}

} // namespace ado::bench::native
