// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a vector_add works on.
#pragma once

#include <cstddef>

namespace ado::detail {

/// c[i] = a[i] + b[i] for i < n. c may be a or b; otherwise they must not overlap.
template <class T>
struct Vectors {
  std::size_t n;
  const T *a, *b;
  T* c;
};

} // namespace ado::detail
