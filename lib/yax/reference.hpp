// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracle of `yax` in plain serial loops.
#pragma once

#include <ado/core/array.hpp>
#include <ado/core/wide.hpp>

#include <cmath>
#include <cstddef>

namespace ado {

/// A dot product and the sum of its terms' absolute values.
template <class T>
struct DotSum {
  Accumulator<T> sum;
  double magnitude = 0;
};

/// sum over j of a[i][j] * x[j]. O(C).
template <class T>
DotSum<T> reference_row_dot(const Array& a, const Array& x, std::size_t i) {
  DotSum<T> row;
  const T* values = a.as<const T>() + i * a.stride[0];
  for (std::size_t j = 0; j < a.extent[1]; ++j) {
    const double left = values[j], right = x.as<const T>()[j];
    row.sum.add_product(left, right);
    row.magnitude += std::fabs(left * right);
  }
  return row;
}

/// Adds y[i] * row to `total`.
template <class T>
void reference_add_row(DotSum<T>& total, const Array& y, std::size_t i, const DotSum<T>& row) {
  const double weight = y.as<const T>()[i];
  total.sum.add_product(weight, row.sum);
  total.magnitude += std::fabs(weight) * row.magnitude;
}

} // namespace ado
