// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a transpose works on, and what it moves at once.
#pragma once

#include <cstddef>
#include <cstdint>

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

/// `bytes` bytes that one instruction moves. The compiler keeps such words together, where it might
/// split a Pack of smaller elements.
template <std::size_t bytes, class Word = std::uint32_t>
struct alignas(bytes) Words {
  Word word[bytes / sizeof(Word)];
};

} // namespace ado
