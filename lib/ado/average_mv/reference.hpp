// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracle of `average_mv` in plain serial loops.
#pragma once

#include <ado/average/reference.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace ado::bench {

/// y[i][n] * M = sum over j of a[i][j] * sums[j], where sums are those of the vectors of set n.
/// O(L).
template <class T>
OracleSum<T> reference_product_row(const Array& a, const OracleSum<T>* sums, std::size_t i) {
  OracleSum<T> row;
  const T* coefficients = a.as<const T>() + i * a.stride[0];
  for (std::size_t j = 0; j < a.extent[1]; ++j) {
    const auto coefficient = double(coefficients[j]);
    row.sum.add_product(coefficient, sums[j].sum);
    row.magnitude += std::fabs(coefficient) * sums[j].magnitude;
    row.squares += coefficient * coefficient * sums[j].squares;
  }
  return row;
}

/// y[i][n] for all rows i of a, at y[i * apart], from the sums of the vectors of set n, each of
/// `count` elements. O(L) for each row.
template <class T>
void expect_products(const Array& a, const OracleSum<T>* sums, double count, Expected* y,
                     std::size_t apart) {
  double largest_sum = 0;
  for (std::size_t j = 0; j < a.extent[1]; ++j)
    largest_sum = std::max(largest_sum, sums[j].magnitude);
  for (std::size_t i = 0; i < a.extent[0]; ++i) {
    const OracleSum<T> sum = reference_product_row<T>(a, sums, i);
    y[i * apart] = expected_quotient(sum, count, std::max(largest_sum, sum.magnitude / count));
  }
}

} // namespace ado::bench
