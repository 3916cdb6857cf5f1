// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that are only moved, never computed with: their size is all that matters.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ado {

/// A 16-byte element. Aligned to 8, as complex<double> need not be to 16.
struct Element16 {
  std::uint64_t word[2];
  friend constexpr bool operator==(const Element16&, const Element16&) = default;
};

/// Calls `f(E{})` with the element type of that many bytes: 1, 2, 4, 8 or 16.
template <class F>
void with_element(std::size_t bytes, F&& f) {
  switch (bytes) {
  case 1:
    return f(std::uint8_t{});
  case 2:
    return f(std::uint16_t{});
  case 4:
    return f(std::uint32_t{});
  case 8:
    return f(std::uint64_t{});
  default:
    return f(Element16{});
  }
}

} // namespace ado
