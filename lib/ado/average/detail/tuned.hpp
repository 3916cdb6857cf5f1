// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of `tuned`, which ado::average calls. Its card: kokkos/tuned.cpp.
#pragma once

#include <ado/average/detail/host_rows.hpp>
#include <ado/average/detail/team.hpp>
#include <ado/average/detail/vectors.hpp>
#include <ado/core/checks.hpp>
#include <ado/core/row_plan.hpp>
#include <ado/portable/host_sums.hpp>
#include <ado/portable/host_tasks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ado::detail {

/// A thread of a host sums blocks of rows.
template <class T>
struct AverageBlocks {
  VectorsRef<T> v;
  T* mean;
  std::size_t mean_stride, rows_of_block;

  void operator()(std::int64_t block) const {
    const std::size_t rows = v.sets * v.length;
    const std::size_t begin = static_cast<std::size_t>(block) * rows_of_block;
    const std::size_t end = std::min(begin + rows_of_block, rows);
    if (v.all >= host_rows_at_once)
      return average_block(v, begin, end, mean, mean_stride, rows * sizeof(T) >= streamed_bytes);
    for (std::size_t row = begin; row < end; ++row) { // too few to be read at once: in quarters
      const std::size_t set = v.set_of(row), l = row - set * v.length;
      const T sum = detail::host_sum(v.vector(set, l), v.count, Identity<T>{});
      mean[set * mean_stride + l] = sum / static_cast<T>(v.count);
    }
  }
};

/// Whether average_tuned takes AverageBlocks: on a host, where no row is cut.
template <class Exec>
bool averages_in_blocks(std::size_t rows, std::size_t length, std::size_t element_bytes) {
  return runs_on_host<Exec> && map_rows(true, rows, length, element_bytes).pieces == 1;
}

/// Launches the kernels; asynchronous on `exec`. `partial`: average_workspace_bytes(sizeof(T)).
template <class Exec, class T>
void average_tuned(const Exec& exec, VectorsRef<T> v, T* mean, std::size_t mean_stride,
                   T* partial) {
  const std::size_t rows = v.sets * v.length;
  if (rows == 0) return;
  v = joined_sets(v, mean_stride);
  if constexpr (runs_on_host<Exec>)
    if (averages_in_blocks<Exec>(v.all, v.count, sizeof(T))) {
      const std::size_t of_block = host_block_rows(rows, v.count, sizeof(T));
      return host_tasks("ado::average[tuned]", exec, ceil_div(rows, of_block),
                        AverageBlocks<T>{v, mean, mean_stride, of_block});
    }
  average_team(exec, v, mean, mean_stride, partial);
}

} // namespace ado::detail
