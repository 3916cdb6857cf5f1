// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of a matrix, transposed in SIMD registers of a CPU.
#pragma once

#include <ado/core/elements.hpp>
#include <ado/host/registers.hpp>
#include <ado/transpose/detail/plan.hpp>
#include <ado/transpose/detail/plan_host.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace ado::detail::host_tile {

#ifdef ADO_SHUFFLE
template <class E>
struct Vector {
  typedef E Register __attribute__((vector_size(16 * lanes)));
};
// Vectors cannot have 16-byte elements; these move as two words.
template <>
struct Vector<Element16> : Vector<std::uint64_t> {};
// Loads and stores of registers need no alignment.
template <std::size_t bytes, std::size_t alignment>
struct Vector<LooseElement<bytes, alignment>> : Vector<ElementOfBytes<bytes>> {};
#endif

/// to[j * to_stride + i] = from[i * from_stride + j] for one block.
template <class E>
[[gnu::always_inline]] inline void transpose_block(const E* from, std::size_t from_stride, E* to,
                                                   std::size_t to_stride) {
#ifdef ADO_SHUFFLE
  constexpr int k = block_columns<E>;
  [&]<std::size_t... r>(std::index_sequence<r...>) __attribute__((always_inline)) {
    using R = typename Vector<E>::Register;
    R row[k] = {load_rows<R>(from + r * from_stride, k * from_stride)...};
    if constexpr (k > 1) interleave_rows<k>(row, std::make_index_sequence<k>{});
    (std::memcpy(to + r * to_stride, &row[r], sizeof row[r]), ...);
  }
  (std::make_index_sequence<k>{});
#else
  for (std::size_t i = 0; i < block_rows<E>; ++i)
    for (std::size_t j = 0; j < block_columns<E>; ++j)
      to[j * to_stride + i] = from[i * from_stride + j];
#endif
}

/// Transposes a part: to[j * to_stride + i] is its element (i, j). Where whole blocks do not fit,
/// the last ones overlap those before them. They may begin before the part, and then write before
/// `to`, too.
template <class E>
void turn(const Matrices<E>& m, const Part& part, E* to, std::size_t to_stride) {
  constexpr std::size_t tall = block_rows<E>, wide = block_columns<E>;
  const std::size_t bottom = part.i + part.height, whole = part.width - part.width % wide;
  const auto distance = [](std::size_t x, std::size_t y) {
    return static_cast<std::ptrdiff_t>(y) - static_cast<std::ptrdiff_t>(x);
  };
  for (std::size_t i = part.i; i < bottom; i += tall) {
    const std::size_t top = std::min(i, bottom - tall);
    const E* const from = m.a + top * m.lda + part.j;
    E* const row = to + distance(part.i, top);
    for (std::size_t j = 0; j < whole; j += wide)
      transpose_block(from + j, m.lda, row + j * to_stride, to_stride);
    if (whole == part.width) continue;
    const std::ptrdiff_t j = distance(wide, part.width);
    transpose_block(from + j, m.lda, row + j * static_cast<std::ptrdiff_t>(to_stride), to_stride);
  }
}

} // namespace ado::detail::host_tile
