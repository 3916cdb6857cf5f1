// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the product of average_mv works on.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado {

/// y(i, n) = sum over j of a(i, j) * mean(n, j).
template <class T>
struct Product {
  const T* a;
  std::size_t lda;
  const T* mean; ///< (sets, length), rows contiguous
  T* y;          ///< element (i, n) at i * y_row + n * y_column
  std::size_t y_row, y_column;
  std::size_t length, sets;

  /// Nothing where y has no such element.
  KOKKOS_FUNCTION void store(std::size_t i, std::size_t n, T value) const {
    if (i < length && n < sets) y[i * y_row + n * y_column] = value;
  }
};

} // namespace ado
