// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array as the variants see it: a pointer, extents and strides, no element type.
#pragma once

#include <array>
#include <cstddef>

namespace ado {

/// Up to three extents; unused ones are 1.
using Extents = std::array<std::size_t, 3>;

/// A row-major array in memory that the variant's backend can reach. Strides are in elements; the
/// last used extent has stride 1, the others may be larger than the rows are long.
struct Array {
  void* data = nullptr;
  Extents extent{1, 1, 1};
  Extents stride{1, 1, 1};

  template <class T>
  T* as() const {
    return static_cast<T*>(data);
  }
};

} // namespace ado
