// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mean of contiguous values on one CPU thread, by hand. average_mv's twin uses it too.
#pragma once

#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/core/types.hpp>

#include <cstddef>

namespace ado {

/// Partial sums side by side: 256 bytes fill eight AVX2 registers and hide the adder's latency.
template <class T>
inline constexpr std::size_t openmp_sums = 256 / sizeof(T);

template <class T>
T openmp_mean(const T* values, std::size_t count) {
  constexpr std::size_t width = openmp_sums<T>;
  T sums[width] = {};
  const std::size_t whole = count - count % width;
  for (std::size_t m = 0; m < whole; m += width) {
#pragma omp simd
    for (std::size_t k = 0; k < width; ++k)
      sums[k] += values[m + k];
  }
  for (std::size_t m = whole; m < count; ++m)
    sums[m - whole] += values[m];
  for (std::size_t half = width / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k)
      sums[k] += sums[k + half];
  return sums[0] / static_cast<T>(count);
}

/// Roundings of openmp_mean: a lane's additions, the tree over the lanes, the division.
inline double openmp_mean_steps(std::size_t count, Type type) {
  const std::size_t width = 256 / size_of(type);
  return double(ceil_div(count, width)) + tree_depth(width) + 1;
}

} // namespace ado
