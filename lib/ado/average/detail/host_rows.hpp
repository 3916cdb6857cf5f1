// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Means of rows by one thread of a host.
#pragma once

#include <ado/average/detail/vectors.hpp>
#include <ado/core/row_plan.hpp>
#include <ado/host/streamed_stores.hpp>
#include <ado/host/thread_memory.hpp>
#include <ado/portable/host_sums.hpp>
#include <ado/portable/sum.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

namespace ado::detail {

/// The sum of a row of up to four numbers, with the additions of host_sum_rows() in its order:
/// those of a lane, then the tree over the lanes. This is what lane `lane` has when `apart` lanes
/// are left.
template <std::size_t n, std::size_t apart = 1, class T>
T sum_of_few(const T* row, std::size_t lane = 0) {
  constexpr std::size_t lanes = lanes_filled_by(n, sizeof(T));
  if constexpr (apart < lanes)
    return sum_of_few<n, 2 * apart>(row, lane) + sum_of_few<n, 2 * apart>(row, lane + apart);
  const T first = T(0) + row[lane];
  return lane + n < 2 * lanes ? first : first + row[lane + n - lanes]; // the last register
}

/// means[k] = mean of row k of n numbers, for rows one behind the other. A register holds several
/// of these short rows, so the compiler makes SIMD of the loop (docs/lab/constants.md#average).
template <std::size_t n, class T>
void average_rows_of(const T* first, std::size_t rows, T* means) {
  for (std::size_t k = 0; k < rows; ++k)
    means[k] = sum_of_few<n>(first + k * n) / T(n);
}

/// means[k] = mean of row k of `count` elements for k < rows; rows lie `apart`.
template <class T>
void average_rows(const T* first, std::size_t apart, std::size_t rows, std::size_t count,
                  T* means) {
  if (count == apart && count >= 1 && count <= 4)
    return with_constant<1, 2, 3, 4>(static_cast<int>(count), [&](auto constant) {
      average_rows_of<std::size_t{constant}>(first, rows, means);
    });
  host_sum_rows<T>(
      rows, count, [&](std::size_t k) { return first + k * apart; }, Identity<T>{},
      [&](std::size_t k, T sum) { means[k] = sum; });
  for (std::size_t k = 0; k < rows; ++k)
    means[k] /= static_cast<T>(count);
}

/// Means of the rows `begin` to `end` of v, at most most_block_rows, to mean[set * mean_stride +
/// l]. `stream`: past the cache.
template <class T>
void average_block(const VectorsRef<T>& v, std::size_t begin, std::size_t end, T* mean,
                   std::size_t mean_stride, bool stream) {
  for (std::size_t row = begin, rows; row < end; row += rows) { // of one set
    const std::size_t set = v.set_of(row), l = row - set * v.length;
    rows = std::min(end - row, v.length - l);
    T* const to = mean + set * mean_stride + l;
    if (!stream) {
      average_rows(v.vector(set, l), v.vector_stride, rows, v.count, to);
      continue;
    }
    // In one place, to be streamed as vectors.
    T* const means = memory_of_thread<std::array<T, most_block_rows>>().data();
    average_rows(v.vector(set, l), v.vector_stride, rows, v.count, means);
    stream_elements(to, means, rows);
  }
  if (stream) stream_fence();
}

} // namespace ado::detail
