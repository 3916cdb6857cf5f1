// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where a can be cut among ranks so that every variant of yax keeps the bits of one process.
#pragma once

#include <ado/registry/algorithm.hpp>
#include <ado/yax/cuda_plan.hpp>
#include <ado/yax/detail/plan.hpp>
#include <ado/yax/openmp/sums.hpp>

#include <cstddef>
#include <numeric>

namespace ado::bench {

/// Rows that no cut may part: tiles of `tuned`, portable and by hand, on hosts and on GPUs, in f32
/// and in f64.
inline std::size_t yax_rank_height(const Shape& s, bool has_gpu) {
  std::size_t height = 1;
  for (const std::size_t bytes : {sizeof(float), sizeof(double)}) {
    height = std::lcm(height, yax_block_rows(s, bytes));
    height = std::lcm(height, detail::yax_tiles(true, s[0], s[1], bytes).rows_per_tile);
    if (!has_gpu) continue;
    height = std::lcm(height, yax_cuda_tiles(s[0], s[1], bytes).rows_per_tile);
    height = std::lcm(height, detail::yax_tiles(false, s[0], s[1], bytes).rows_per_tile);
  }
  return height;
}

} // namespace ado::bench
