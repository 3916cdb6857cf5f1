// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A long sum on one CPU thread, by hand: what the OpenMP twins add with.
#pragma once

#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/core/types.hpp>

#include <cstddef>

namespace ado {

/// Bytes of partial sums side by side: they fill eight AVX2 registers and hide the adder's latency.
inline constexpr std::size_t openmp_sum_bytes = 256;

/// Sum of term(k) for k < count.
template <class T, class Term>
T openmp_sum(std::size_t count, const Term& term) {
  constexpr std::size_t width = openmp_sum_bytes / sizeof(T);
  T sums[width] = {};
  const std::size_t whole = count - count % width;
  for (std::size_t first = 0; first < whole; first += width) {
#pragma omp simd
    for (std::size_t k = 0; k < width; ++k)
      sums[k] += term(first + k);
  }
  for (std::size_t k = whole; k < count; ++k)
    sums[k - whole] += term(k);
  for (std::size_t half = width / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k)
      sums[k] += sums[k + half];
  return sums[0];
}

/// Additions on its longest path: those of a lane, then the tree over the lanes.
inline double openmp_sum_steps(std::size_t count, Type type) {
  const std::size_t width = openmp_sum_bytes / size_of(type);
  return double(ceil_div(count, width)) + tree_depth(width);
}

} // namespace ado
