// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average where a vector is no longer than four packs of 16 bytes: one thread a vector would ask
// for these and have nothing else in flight, so a thread takes several.
#pragma once

#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/core/rows.cuh>

#include <cstddef>

namespace ado::bench::native {

inline constexpr std::size_t max_short_packs = 4;

/// A thread's vectors are a block apart, so that lanes read side by side.
template <int Packs, class T>
__global__ __launch_bounds__(row_threads) void average_short_rows(const T* v, std::size_t stride,
                                                                  std::size_t rows, T count,
                                                                  T* mean) {
  constexpr int each = stripes_in_flight / Packs; // vectors of a thread
  const std::size_t first = std::size_t{blockIdx.x} * (row_threads * each) + threadIdx.x;
  Pack<T> part[each][Packs];
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const std::size_t row = first + k * row_threads;
    if (row >= rows) break;
#pragma unroll
    for (int p = 0; p < Packs; ++p)
      part[k][p] = load_pack(v + row * stride + p * pack_size<T>);
  }
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const std::size_t row = first + k * row_threads;
    if (row >= rows) break;
    Pack<T> sum = part[k][0];
#pragma unroll
    for (int p = 1; p < Packs; ++p)
      Elements{}.template add<1, true>(sum, part[k][p], 0, 0);
    mean[row] = pack_sum(sum) / count;
  }
}

/// Launches it for `rows` vectors of `count` elements, `stride` apart, where it suits them: whole
/// packs, and enough of them, all ranks' taken together, that its blocks, which are fewer, go
/// round. Else returns false.
template <class T>
bool launch_short_rows(const T* v, std::size_t stride, std::size_t rows, std::size_t count, T* mean,
                       cudaStream_t stream, std::size_t all) {
  constexpr std::size_t enough = std::size_t{128} * row_threads * stripes_in_flight;
  const std::size_t packs = count / pack_size<T>;
  if (count % pack_size<T> != 0 || packs > max_short_packs || all * packs < enough) return false;
  with_constant<1, 2, 3, 4>(static_cast<int>(packs), [&](auto constant) {
    launch("average_short_rows", average_short_rows<constant, T>,
           ceil_div(rows, std::size_t{row_threads} * (stripes_in_flight / constant)), row_threads,
           0, stream, v, stride, rows, static_cast<T>(count), mean);
  });
  return true;
}

} // namespace ado::bench::native
