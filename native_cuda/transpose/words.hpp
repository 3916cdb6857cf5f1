// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transpose only moves elements, so their size is all that kernels know of their type.
#pragma once

#include <ado/core/error.hpp>
#include <ado/registry/variant.hpp>
#include <ado/transpose/detail/plan.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace ado::bench::native {

template <class T>
struct Halves {
  T low, high;
};
struct alignas(16) Word16 {
  std::uint64_t low, high;
};

/// Calls f(Word{}) with a type of `element_bytes` bytes that may lie at `addresses` (all pointers
/// or-ed together).
template <class F>
void with_word(std::size_t element_bytes, std::uintptr_t addresses, F&& f) {
  const auto aligned = [&](std::size_t bytes) { return addresses % bytes == 0; };
  if (element_bytes == 1) return f(std::uint8_t{});
  if (element_bytes == 2 && aligned(2)) return f(std::uint16_t{});
  if (element_bytes == 4 && aligned(4)) return f(std::uint32_t{});
  if (element_bytes == 8 && aligned(8)) return f(std::uint64_t{});
  if (element_bytes == 8 && aligned(4)) return f(Halves<std::uint32_t>{});
  if (element_bytes == 16 && aligned(16)) return f(Word16{});
  if (element_bytes == 16 && aligned(8)) return f(Halves<std::uint64_t>{});
  throw InvalidArgument("transpose: elements of " + std::to_string(element_bytes) +
                        " bytes at this alignment cannot be moved; use 1, 2, 4, 8 or 16 bytes, "
                        "aligned to their size or, from 8 bytes on, to half of it");
}

/// Calls `f(Matrices<Word>)` with the arrays of a transpose.
template <class F>
void with_words(const Call& call, F&& f) {
  const Array &a = call.arrays[0], &b = call.arrays[1];
  const auto addresses =
      reinterpret_cast<std::uintptr_t>(a.data) | reinterpret_cast<std::uintptr_t>(b.data);
  with_word(size_of(call.type), addresses, [&](auto word) {
    using Word = decltype(word);
    f(Matrices<Word>{call.shape[0], call.shape[1], a.as<const Word>(), a.stride[0], b.as<Word>(),
                     b.stride[0]});
  });
}

} // namespace ado::bench::native
