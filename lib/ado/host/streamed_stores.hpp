// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores on a CPU that go to memory past the caches: a line that is written whole is then not read
// first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace ado::detail {

/// From so many bytes on an output is too large to be found in a cache when it is read next, which
/// streamed stores would evict it from.
inline constexpr std::size_t streamed_bytes = std::size_t{64} << 20;

/// Stores 16 bytes, or 32 where registers hold them, past the cache.
inline std::size_t stream_some(std::byte* to, const std::byte* from, std::size_t bytes) {
#if defined(__AVX__)
  if (bytes >= 32) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    return 32;
  }
#endif
#if defined(__SSE2__)
  static_cast<void>(bytes);
  _mm_stream_si128(reinterpret_cast<__m128i*>(to),
                   _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
#else
  std::memcpy(to, from, 16);
#endif
  return 16;
}

/// Streams a multiple of 16 bytes; `to` is aligned to 32.
inline void stream_bytes(std::byte* to, const std::byte* from, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes;)
    done += stream_some(to + done, from + done, bytes - done);
}

/// Copies `count` elements to any place: past the cache except in front of the first whole cache
/// line of `to` and behind the last.
template <class T>
void stream_elements(T* to, const T* from, std::size_t count) {
  constexpr std::size_t line = 64 / sizeof(T);
  const std::size_t behind = reinterpret_cast<std::uintptr_t>(to) / sizeof(T) % line;
  const std::size_t first = std::min((line - behind) % line, count);
  const std::size_t last = first + (count - first) / line * line;
  std::copy_n(from, first, to);
  stream_bytes(reinterpret_cast<std::byte*>(to + first),
               reinterpret_cast<const std::byte*>(from + first), (last - first) * sizeof(T));
  std::copy(from + last, from + count, to + last);
}

/// Streams a cache line, by one store of 64 bytes where there is one
/// (docs/lab/constants.md#shared).
inline void stream_line(std::byte* to, const std::byte* from) {
#ifdef __AVX512F__
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
#else
  stream_bytes(to, from, 64);
#endif
}

/// Streams a register of 16, 32 or 64 bytes; `to` is aligned to its size. (By value: a register
/// whose address is taken would go through memory first.)
template <class R>
void stream_register(void* to, const R& value) {
#ifdef __AVX512F__
  if constexpr (sizeof(R) == 64)
    return _mm512_stream_si512(static_cast<__m512i*>(to), (__m512i)value);
#endif
#ifdef __AVX__
  if constexpr (sizeof(R) == 32)
    return _mm256_stream_si256(static_cast<__m256i*>(to), (__m256i)value);
#endif
  stream_bytes(static_cast<std::byte*>(to), reinterpret_cast<const std::byte*>(&value),
               sizeof value);
}

/// Makes streamed stores visible before what follows.
inline void stream_fence() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

} // namespace ado::detail
