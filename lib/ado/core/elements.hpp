// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that are only moved, never computed with: their size is all that matters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ado::detail {

/// A 16-byte element. Aligned to 8, as complex<double> need not be to 16.
struct Element16 {
  std::uint64_t word[2];
  friend constexpr bool operator==(const Element16&, const Element16&) = default;
};

/// What moves elements of so many bytes, 1, 2, 4, 8 or 16, as few words.
template <std::size_t bytes>
using ElementOfBytes = std::conditional_t<
    bytes == 1, std::uint8_t,
    std::conditional_t<
        bytes == 2, std::uint16_t,
        std::conditional_t<bytes == 4, std::uint32_t,
                           std::conditional_t<bytes == 8, std::uint64_t, Element16>>>>;

/// The same for memory that is aligned to fewer bytes only, as std::complex<float> is to 4: a GPU
/// faults on a word that lies across its boundary.
template <std::size_t bytes, std::size_t alignment>
struct LooseElement {
  ElementOfBytes<alignment> word[bytes / alignment];
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

} // namespace ado::detail
