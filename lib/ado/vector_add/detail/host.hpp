// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A share of c = a + b on one CPU thread. A large c bypasses the caches: otherwise each of its
// lines would be read before it is overwritten, four transfers where three are enough.
#pragma once

#include <ado/host/registers.hpp>
#include <ado/host/streamed_stores.hpp>
#include <ado/vector_add/detail/vectors.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ado::detail::host_add {

template <class T>
bool may_stream(const Vectors<T>& v) {
  return v.n * sizeof(T) >= streamed_bytes;
}

/// Unrolled, as by hand: the speed of a shorter loop depends on its place in a cache line
/// (docs/lab/constants.md#vector_add).
template <class T>
void add(const Vectors<T>& v, std::size_t first, std::size_t last) {
#pragma GCC unroll 4
  for (std::size_t i = first; i < last; ++i)
    v.c[i] = v.a[i] + v.b[i];
}

/// The same, bypassing the caches, in whole lines of c.
template <class T>
void add_streamed(const Vectors<T>& v, std::size_t first, std::size_t last) {
  using R = Register<T, register_lanes<T>>;
  constexpr std::size_t line = 64 / sizeof(T);
  const std::size_t behind = reinterpret_cast<std::uintptr_t>(v.c + first) / sizeof(T) % line;
  const std::size_t begin = std::min(first + (line - behind) % line, last);
  add(v, first, begin);
  std::size_t i = begin;
  for (; i + line <= last; i += line)
    for (std::size_t k = i; k < i + line; k += register_lanes<T>) {
      const R sum = load<R>(v.a + k) + load<R>(v.b + k);
      stream_bytes(reinterpret_cast<std::byte*>(v.c + k), reinterpret_cast<const std::byte*>(&sum),
                   sizeof sum);
    }
  stream_fence();
  add(v, i, last);
}

/// Adds share `worker` of `workers`, in whole lines except for the alignment of c.
template <class T>
void add_share(const Vectors<T>& v, std::size_t worker, std::size_t workers) {
  constexpr std::size_t line = 64 / sizeof(T);
  const std::size_t lines = v.n / line + 1;
  const std::size_t first = std::min(lines * worker / workers * line, v.n);
  const std::size_t last = std::min(lines * (worker + 1) / workers * line, v.n);
  may_stream(v) ? add_streamed(v, first, last) : add(v, first, last);
}

} // namespace ado::detail::host_add
