// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block by hand for CPUs: 16 bytes of each of a few rows, transposed in AVX2 registers.
#pragma once

#include <ado/transpose/detail/plan_host.hpp>

#include <algorithm>
#include <cstddef>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace ado::bench::by_hand {

namespace plan = detail::host_tile;

#ifdef __AVX2__
template <std::size_t bytes>
__m256i low_halves(__m256i x, __m256i y) {
  if constexpr (bytes == 1) return _mm256_unpacklo_epi8(x, y);
  if constexpr (bytes == 2) return _mm256_unpacklo_epi16(x, y);
  if constexpr (bytes == 4) return _mm256_unpacklo_epi32(x, y);
  return _mm256_unpacklo_epi64(x, y);
}
template <std::size_t bytes>
__m256i high_halves(__m256i x, __m256i y) {
  if constexpr (bytes == 1) return _mm256_unpackhi_epi8(x, y);
  if constexpr (bytes == 2) return _mm256_unpackhi_epi16(x, y);
  if constexpr (bytes == 4) return _mm256_unpackhi_epi32(x, y);
  return _mm256_unpackhi_epi64(x, y);
}

/// to[j * ldt + i] = from[i * ldf + j], for k columns and 2 k rows of them: the upper k in the low
/// lanes of k registers, the lower k in the high ones. Each round interleaves register r with r +
/// k/2; after log2(k) rounds rows are columns.
template <class E>
[[gnu::always_inline]] inline void turn_block(const E* from, std::size_t ldf, E* to,
                                              std::size_t ldt) {
  constexpr std::size_t k = plan::block_columns<E>;
  __m256i row[k], next[k];
#pragma GCC unroll 16
  for (std::size_t r = 0; r < k; ++r) {
    const auto* low = reinterpret_cast<const __m128i*>(from + r * ldf);
    const auto* high = reinterpret_cast<const __m128i*>(from + (k + r) * ldf);
    row[r] = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(low)),
                                     _mm_loadu_si128(high), 1);
  }
#pragma GCC unroll 4
  for (std::size_t round = 1; round < k; round *= 2) {
#pragma GCC unroll 16
    for (std::size_t r = 0; r < k / 2; ++r) {
      next[2 * r] = low_halves<sizeof(E)>(row[r], row[r + k / 2]);
      next[2 * r + 1] = high_halves<sizeof(E)>(row[r], row[r + k / 2]);
    }
#pragma GCC unroll 16
    for (std::size_t r = 0; r < k; ++r)
      row[r] = next[r];
  }
#pragma GCC unroll 16
  for (std::size_t r = 0; r < k; ++r)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + r * ldt), row[r]);
}
static_assert(plan::lanes == 2);
#else
template <class E>
void turn_block(const E* from, std::size_t ldf, E* to, std::size_t ldt) {
  for (std::size_t j = 0; j < plan::block_columns<E>; ++j)
    for (std::size_t i = 0; i < plan::block_rows<E>; ++i)
      to[j * ldt + i] = from[i * ldf + j];
}
#endif

/// The same for `height` rows and `width` columns, block by block along rows. The blocks at the
/// ends begin earlier, with rows above `from` or columns to the left of it where there is less than
/// a block.
template <class E>
[[gnu::always_inline]] inline void turn(const E* from, std::size_t ldf, std::size_t height,
                                        std::size_t width, E* to, std::size_t ldt) {
  constexpr auto tall = static_cast<std::ptrdiff_t>(plan::block_rows<E>),
                 wide = static_cast<std::ptrdiff_t>(plan::block_columns<E>);
  const auto bottom = static_cast<std::ptrdiff_t>(height) - tall,
             right = static_cast<std::ptrdiff_t>(width) - wide;
  const auto f = static_cast<std::ptrdiff_t>(ldf), t = static_cast<std::ptrdiff_t>(ldt);
  for (std::ptrdiff_t i = 0; i < bottom + tall; i += tall)
    for (std::ptrdiff_t j = 0; j < right + wide; j += wide) {
      const std::ptrdiff_t top = std::min(i, bottom), left = std::min(j, right);
      turn_block(from + top * f + left, ldf, to + left * t + top, ldt);
    }
}

} // namespace ado::bench::by_hand
