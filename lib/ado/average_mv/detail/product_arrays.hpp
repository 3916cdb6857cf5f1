// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the product of average_mv works on.
#pragma once

#include <cstddef>

namespace ado::detail {

/// y(i, n) = sum over j of a(i, j) * mean(n, j).
template <class T>
struct Product {
  const T* a;
  std::size_t lda;
  const T* mean; ///< (sets, length), rows contiguous
  T* y;          ///< element (i, n) at i * y_row + n * y_column
  std::size_t y_row, y_column;
  std::size_t length, sets;
};

} // namespace ado::detail
