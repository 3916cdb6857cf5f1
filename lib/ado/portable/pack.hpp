// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one access of 16 bytes moves.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace ado::detail {

/// As many elements as one 16-byte load brings.
template <class T>
struct alignas(16) Pack {
  static constexpr int size = 16 / sizeof(T);
  T lane[size];
};

/// `bytes` bytes that one instruction moves. The compiler keeps these words together; it might
/// split a Pack of smaller elements.
template <std::size_t bytes, class Word = std::uint32_t>
struct alignas(bytes) Words {
  Word word[bytes / sizeof(Word)];
};

/// Elements that one Unit holds, a Pack or an element.
template <class Unit>
inline constexpr int elements_of = 1;
template <class T>
inline constexpr int elements_of<Pack<T>> = Pack<T>::size;

template <class T>
KOKKOS_FUNCTION bool aligned_to_pack(const T* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

} // namespace ado::detail
