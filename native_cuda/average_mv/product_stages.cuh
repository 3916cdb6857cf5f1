// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the product of average_mv brings stages of a and mean to shared memory, past the registers:
// one is used while the next ones are copied.
#pragma once

#include <ado/average_mv/detail/product/plan.hpp>

#include <cuda_pipeline_primitives.h>
#include <native_cuda/core/device.cuh>

#include <cstddef>
#include <cstdint>

namespace ado::bench::native {

using detail::Product;
using namespace detail::product_plan;

/// nvcc 13.0 takes no template of a class as an argument of an attribute.
template <class Tile, class T>
inline constexpr int product_blocks = Tile::template resident_teams<T>;

/// First element of the row of a or of mean that a line of the tile at (i0, n0) has. Rows beyond
/// the matrices repeat their first ones; they reach no result. If all repeated the last row, all
/// blocks would read the same line at once.
template <class Tile, class T>
__device__ const T* row_of(const Product<T>& p, std::size_t i0, std::size_t n0, int line) {
  const auto inside = [](std::size_t row, std::size_t rows) {
    return row < rows ? row : min(row - rows, rows - 1);
  };
  return line < Tile::rows ? p.a + inside(i0 + line, p.length) * p.lda
                           : p.mean + inside(n0 + line - Tile::rows, p.sets) * p.length;
}

/// Elements between the last boundary of 16 bytes and `row`.
template <class T>
__device__ int shift_of(const T* row) {
  return static_cast<int>(reinterpret_cast<std::uintptr_t>(row) % 16 / sizeof(T));
}

/// Starts to copy `Count` elements, or writes zeros. Packs of floats go through L1: stages of
/// unaligned rows find their neighbours' sectors there, and blocks each other's rows. CUDA's
/// function leads 16 bytes past L1, which serves doubles on 32-byte boundaries as well.
template <int Count, class T>
__device__ void copy_async(T* to, const T* from, bool zeros) {
  constexpr int bytes = Count * static_cast<int>(sizeof(T));
#if __CUDA_ARCH__ >= 800
  if constexpr (sizeof(T) == 4 && bytes == 16)
    asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;"
                 :
                 : "r"(static_cast<unsigned>(__cvta_generic_to_shared(to))), "l"(from),
                   "r"(zeros ? 0 : bytes)
                 : "memory");
  else
#endif
    __pipeline_memcpy_async(to, from, bytes, zeros ? bytes : 0);
}

/// A thread's part in copying stages: the same places of every stage, `Width` elements each.
/// Shifted: a stage of a row begins at the 16-byte boundary in front of it and has 16 bytes more,
/// in its padding.
template <class Tile, int Width, bool Shifted, class T>
struct Copies {
  static constexpr int lines = Stage<Tile, T>::lines, depth = Stage<Tile, T>::depth;
  static constexpr int per_line = depth / Width;
  static constexpr int all = lines * per_line; ///< of the threads together
  static constexpr int in_depth = (all + Tile::threads - 1) / Tile::threads;
  static constexpr int behind = Shifted ? (lines + Tile::threads - 1) / Tile::threads : 0;
  static constexpr int count = in_depth + behind;
  const T* row[count];
  unsigned length;

  static __device__ int thread() { return static_cast<int>(threadIdx.x); }
  static __device__ int line(int k) {
    return k < in_depth ? (k * Tile::threads + thread()) / per_line
                        : (k - in_depth) * Tile::threads + thread();
  }
  static __device__ int column(int k) { return k < in_depth ? thread() % per_line * Width : depth; }
  /// Whether place k is there: the last one need not be for all threads.
  static __device__ bool has(int k) {
    return (k < in_depth ? all : lines) % Tile::threads == 0 || line(k) < lines;
  }

  __device__ Copies(const Product<T>& p, std::size_t i0, std::size_t n0)
      : length(static_cast<unsigned>(p.length)) {
    static_assert(Tile::threads % per_line == 0);
#pragma unroll
    for (int k = 0; k < count; ++k)
      row[k] = row_of<Tile>(p, i0, n0, has(k) ? line(k) : 0);
  }
  /// Columns beyond the matrices become 0.
  __device__ void start(Stage<Tile, T>& to, unsigned j0) const {
    if (Shifted && j0 + depth + Width > length) return start_elements(to, j0);
    const bool zeros = !Shifted && j0 + column(0) >= length;
#pragma unroll
    for (int k = 0; k < count; ++k) {
      const T* const boundary = Shifted ? row[k] - shift_of(row[k]) : row[k];
      if (has(k))
        copy_async<Width>(&to.element[line(k)][column(k)], boundary + (zeros ? 0 : j0 + column(k)),
                          zeros);
    }
  }

private:
  /// The same, element by element, where rows end in the stage or close behind it.
  __device__ void start_elements(Stage<Tile, T>& to, unsigned j0) const {
#pragma unroll
    for (int k = 0; k < count; ++k)
#pragma unroll
      for (int e = 0; e < Width; ++e) {
        const unsigned j = j0 + column(k) + e - shift_of(row[k]); // wraps in front of the row
        if (has(k))
          __pipeline_memcpy_async(&to.element[line(k)][column(k) + e],
                                  row[k] + (j < length ? j : 0), sizeof(T),
                                  j < length ? 0 : sizeof(T));
      }
  }
};

} // namespace ado::bench::native
