// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the product of average_mv keeps in shared memory: slices of some columns of all rows that a
// tile of y needs, one used while the next ones are copied past the registers.
#pragma once

#include <cuda_pipeline_primitives.h>
#include <native_cuda/core/device.cuh>

#include <cstddef>

namespace ado::native {

template <class T>
struct Product {
  std::size_t sets, length;
  const T* a;
  std::size_t lda;
  const T* mean; ///< (sets, vectors), rows contiguous
  T* y;
  std::size_t ldy;
};

/// A slice of the rows of a and, below them, of mean.
template <class Tile, class T>
struct Slice {
  static constexpr int depth = Tile::slice_bytes / static_cast<int>(sizeof(T));
  static constexpr int lines = Tile::rows + Tile::columns;
  alignas(16) T element[lines][depth + Tile::template padding<T>];
};

/// A thread's part in copying slices: the same places of every slice, `Width` elements each.
template <class Tile, int Width, class T>
struct Copies {
  static constexpr int per_line = Slice<Tile, T>::depth / Width;
  static constexpr int all = Slice<Tile, T>::lines * per_line; ///< of the threads together
  static constexpr int count = (all + Tile::threads - 1) / Tile::threads;
  const T* from[count];
  std::size_t length;

  static __device__ int line(int k) {
    return (k * Tile::threads + static_cast<int>(threadIdx.x)) / per_line;
  }
  static __device__ int column() { return static_cast<int>(threadIdx.x) % per_line * Width; }
  /// Whether place k is there: the last one need not be for all threads.
  static __device__ bool has(int k) {
    return all % Tile::threads == 0 || line(k) < Slice<Tile, T>::lines;
  }

  /// Rows beyond the matrices repeat their first ones; they reach no result. The last one instead, over and
  /// over, would be one line that all blocks ask for at once.
  __device__ Copies(const Product<T>& p, std::size_t i0, std::size_t n0) : length(p.length) {
    static_assert(Tile::threads % per_line == 0);
#pragma unroll
    for (int k = 0; k < count; ++k)
      from[k] = line(k) < Tile::rows
                    ? p.a + inside(i0 + line(k), p.length) * p.lda
                    : p.mean + inside(n0 + line(k) - Tile::rows, p.sets) * p.length;
  }
  static __device__ std::size_t inside(std::size_t row, std::size_t rows) {
    return row < rows ? row : min(row - rows, rows - 1);
  }
  /// Columns beyond the matrices become 0.
  __device__ void start(Slice<Tile, T>& to, std::size_t j0) const {
    const std::size_t j = j0 + column();
    const std::size_t zeros = j < length ? 0 : Width * sizeof(T);
#pragma unroll
    for (int k = 0; k < count; ++k)
      if (has(k))
        __pipeline_memcpy_async(&to.element[line(k)][column()], from[k] + (zeros ? 0 : j),
                                Width * sizeof(T), zeros);
  }
};

} // namespace ado::native
