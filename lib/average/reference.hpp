// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracle of `average` in plain serial loops. average_mv builds on it.
#pragma once

#include <ado/core/array.hpp>
#include <ado/core/wide.hpp>

#include <cmath>
#include <cstddef>

namespace ado {

/// Sum of one vector of v and of its absolute values, not yet divided by M.
template <class T>
struct RowSum {
  Accumulator<T> sum;
  double magnitude = 0;
};

/// mean[n][l] * M = sum over m of v[n][l][m]. O(M).
template <class T>
RowSum<T> reference_row_sum(const Array& v, std::size_t n, std::size_t l) {
  RowSum<T> row;
  const T* values = v.as<const T>() + n * v.stride[0] + l * v.stride[1];
  for (std::size_t m = 0; m < v.extent[2]; ++m) {
    const double value = values[m];
    row.sum.add(value);
    row.magnitude += std::fabs(value);
  }
  return row;
}

} // namespace ado
