// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a transpose works on.
#pragma once

#include <cstddef>

namespace ado {

/// The matrix pair of a transpose: b[j * ldb + i] = a[i * lda + j].
template <class E>
struct Matrices {
  std::size_t rows, columns; ///< of a
  const E* a;
  std::size_t lda;
  E* b;
  std::size_t ldb;
};

} // namespace ado
