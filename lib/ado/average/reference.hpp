// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracle of `average` in plain serial loops. average_mv builds on it.
#pragma once

#include <ado/registry/array.hpp>
#include <ado/registry/sum_oracle.hpp>
#include <ado/registry/wide.hpp>

#include <cmath>
#include <cstddef>

namespace ado::bench {

/// mean[n][l] * M = sum over m of v[n][l][m]. O(M).
template <class T>
OracleSum<T> reference_row_sum(const Array& v, std::size_t n, std::size_t l) {
  OracleSum<T> row;
  const T* values = v.as<const T>() + n * v.stride[0] + l * v.stride[1];
  for (std::size_t m = 0; m < v.extent[2]; ++m)
    row.add(double(values[m]));
  return row;
}

/// sum / count, with the part that a double cannot hold as the tail. `largest_partial` as in
/// Expected.
template <class T>
Expected expected_quotient(const OracleSum<T>& row, double count, double largest_partial) {
  const double value = row.sum.high() / count;
  const double tail =
      is_finite(value) ? (std::fma(-value, count, row.sum.high()) + row.sum.low()) / count : 0.0;
  return {value, tail, row.magnitude / count, largest_partial, std::sqrt(row.squares) / count};
}

} // namespace ado::bench
