// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The averages of a CPU twin, by hand. average_mv's twin starts with them.
#pragma once

#include <ado/core/array.hpp>
#include <ado/core/openmp_sum.hpp>

#include <cstddef>

namespace ado {

/// mean[n * mean_stride + l] = sum over m of v[n][l][m] / M.
template <class T>
void openmp_average(const Array& v, T* mean, std::size_t mean_stride, int threads) {
  const std::size_t lengths = v.extent[1], count = v.extent[2];
  const std::size_t rows = v.extent[0] * lengths;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t n = row / lengths, l = row % lengths;
    const T* values = v.as<const T>() + n * v.stride[0] + l * v.stride[1];
    mean[n * mean_stride + l] =
        openmp_sum<T>(count, [values](std::size_t m) { return values[m]; }) / static_cast<T>(count);
  }
}

/// Its roundings: a sum and a division.
inline double openmp_average_steps(std::size_t count, Type type) {
  return openmp_sum_steps(count, type) + 1;
}

} // namespace ado
