// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array as the variants see it: a pointer, extents and strides, no element type.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace ado {

/// Up to three extents; unused ones are 1.
using Extents = std::array<std::size_t, 3>;

/// A row-major array in memory that the variant's backend can reach. Strides are in elements; the
/// last used extent has stride 1, the others may be larger than the rows are long.
struct Array {
  void* data = nullptr;
  Extents extent{1, 1, 1};
  Extents stride{1, 1, 1};

  /// `data` as a pointer to T, which has to be the type of the run.
  template <class T>
  T* as() const {
    return static_cast<T*>(data);
  }
};

/// The rows of an array, its contiguous parts. An array of one extent is a column of rows of one
/// element.
class ArrayRows {
public:
  explicit ArrayRows(const Array& array) : array_(array) {
    const Extents& e = array.extent;
    deep_ = e[2] != 1 || array.stride[1] != 1;
    count = deep_ ? e[0] * e[1] : e[0];
    length = deep_ ? e[2] : e[1];
  }

  std::size_t count, length; ///< rows, and elements of each

  /// Elements from the array's first one to that of a row.
  std::size_t start(std::size_t row) const {
    if (!deep_) return row * array_.stride[0];
    const std::size_t below = array_.extent[1];
    return row / below * array_.stride[0] + row % below * array_.stride[1];
  }
  /// "[2][7]" or "[2][7][1]", of an element that is counted row by row.
  std::string place(std::size_t element) const {
    const std::size_t row = element / length, below = array_.extent[1];
    const std::string last = "[" + std::to_string(element % length) + "]";
    if (!deep_) return "[" + std::to_string(row) + "]" + last;
    return "[" + std::to_string(row / below) + "][" + std::to_string(row % below) + "]" + last;
  }

private:
  Array array_;
  bool deep_;
};

} // namespace ado
