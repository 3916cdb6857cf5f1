// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Means of rows by one thread of a host.
#pragma once

#include <ado/average/detail/vectors.hpp>
#include <ado/core/row_plan.hpp>
#include <ado/host/streamed_stores.hpp>
#include <ado/portable/host_sums.hpp>
#include <ado/portable/sum.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::detail {

/// means[k] = mean of row k of `count` elements for k < rows; rows lie `apart`.
template <class T>
void average_rows(const T* first, std::size_t apart, std::size_t rows, std::size_t count,
                  T* means) {
  if (count == 1 && apart == 1) { // one vector, and nothing to divide; 0 as sums begin with it
    for (std::size_t k = 0; k < rows; ++k)
      means[k] = T(0) + first[k];
    return;
  }
  host_sum_rows<T>(
      rows, count, [&](std::size_t k) { return first + k * apart; }, Identity<T>{},
      [&](std::size_t k, T sum) { means[k] = sum; });
  for (std::size_t k = 0; k < rows; ++k)
    means[k] /= static_cast<T>(count);
}

/// Means of the rows `begin` to `end` of v, at most most_block_rows, to mean[set * mean_stride + l]. `stream`: past the
/// cache.
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
    T means[most_block_rows]; // in one place, to be streamed as vectors
    average_rows(v.vector(set, l), v.vector_stride, rows, v.count, means);
    stream_elements(to, means, rows);
  }
  if (stream) stream_fence();
}

/// Sets without gaps between them are one long set, for blocks of rows end with theirs.
template <class T>
VectorsRef<T> joined_sets(VectorsRef<T> v, std::size_t mean_stride) {
  if (v.set_stride == v.length * v.vector_stride && mean_stride == v.length) {
    v.length *= v.sets;
    v.sets = 1;
  }
  return v;
}

} // namespace ado::detail
