// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracle of `average_mv` in plain serial loops.
#pragma once

#include <ado/average/reference.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace ado {

/// y[i][n] * M = sum over j of a[i][j] * sums[j], where sums are those of the vectors of set n.
/// O(L).
template <class T>
OracleSum<T> reference_product_row(const Array& a, const OracleSum<T>* sums, std::size_t i) {
  OracleSum<T> row;
  const T* coefficients = a.as<const T>() + i * a.stride[0];
  for (std::size_t j = 0; j < a.extent[1]; ++j) {
    const double coefficient = coefficients[j];
    row.sum.add_product(coefficient, sums[j].sum);
    row.magnitude += std::fabs(coefficient) * sums[j].magnitude;
    row.squares += coefficient * coefficient * sums[j].squares;
  }
  return row;
}

} // namespace ado
