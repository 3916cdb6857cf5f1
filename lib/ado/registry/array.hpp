// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An array as variants see it: a pointer, extents and strides, no element type.
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace ado::bench {

/// Up to three extents; unused ones are 1.
using Extents = std::array<std::size_t, 3>;

/// A row-major array in memory that the variant's backend can reach. Strides are in elements; that
/// of the last used extent is 1, others may exceed the length of the rows.
struct Array {
  void* data = nullptr;
  Extents extent{1, 1, 1};
  Extents stride{1, 1, 1};

  /// `data` as a pointer to T, which must be the type of the run.
  template <class T>
  T* as() const {
    return static_cast<T*>(data);
  }
};

/// The rows of an array, its contiguous parts. An array of one extent is a column of rows with one
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

  /// Elements from the array's first one to the row.
  std::size_t start(std::size_t row) const {
    if (!deep_) return row * array_.stride[0];
    const std::size_t below = array_.extent[1];
    return row / below * array_.stride[0] + row % below * array_.stride[1];
  }
  /// "[2][7]" or "[2][7][1]": an element counted row by row.
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

} // namespace ado::bench
