// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracle of `yax` in plain serial loops.
#pragma once

#include <ado/registry/array.hpp>
#include <ado/registry/wide.hpp>

#include <cmath>
#include <cstddef>

namespace ado::bench {

/// sum over j of a[i][j] * x[j]. O(C).
template <class T>
OracleSum<T> reference_row_dot(const Array& a, const Array& x, std::size_t i) {
  OracleSum<T> row;
  const T* values = a.as<const T>() + i * a.stride[0];
  for (std::size_t j = 0; j < a.extent[1]; ++j)
    row.add_product(double(values[j]), double(x.as<const T>()[j]));
  return row;
}

/// Adds y[i] * row to `total`.
template <class T>
void reference_add_row(OracleSum<T>& total, const Array& y, std::size_t i,
                       const OracleSum<T>& row) {
  const auto weight = double(y.as<const T>()[i]);
  total.sum.add_product(weight, row.sum);
  total.magnitude += std::fabs(weight) * row.magnitude;
  total.squares += weight * weight * row.squares;
}

} // namespace ado::bench
