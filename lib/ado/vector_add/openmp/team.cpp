// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, openmp, team: c[i] = a[i] + b[i], by hand for CPUs
//   mapping   a contiguous share per thread; SIMD lanes side by side in it
//   scratch   none
//   bytes     reads a and b once, writes c once, past the caches if c is large: otherwise each of
//             its lines would be read before it is overwritten
//   teaches   what a C++ programmer writes without Kokkos: the twin that every CPU rung is measured
//             against
#include <ado/core/checks.hpp>
#include <ado/host/registers.hpp>
#include <ado/host/streamed_stores.hpp>
#include <ado/host/variant.hpp>
#include <ado/vector_add/call_vectors.hpp>
#include <ado/vector_add/variant.hpp>

#include <algorithm>
#include <cstdint>

namespace ado::bench {
namespace {

/// c[i] = a[i] + b[i] for first <= i < last. Unrolled: detail/host.hpp says why.
template <class T>
void add(const Vectors<T>& v, std::size_t first, std::size_t last) {
#pragma GCC unroll 4
  for (std::size_t i = first; i < last; ++i)
    v.c[i] = v.a[i] + v.b[i];
}

/// The same; whole registers from the first boundary in c on are stored past the cache.
template <class T>
void add_streamed(const Vectors<T>& v, std::size_t first, std::size_t last) {
  using R = Register<T, register_lanes<T>>;
  const auto place = reinterpret_cast<std::uintptr_t>(v.c + first);
  std::size_t i = std::min(first + (round_up(place, register_bytes) - place) / sizeof(T), last);
  add(v, first, i);
  for (; i + register_lanes<T> <= last; i += register_lanes<T>) {
    const R sum = load<R>(v.a + i) + load<R>(v.b + i);
    stream_bytes(reinterpret_cast<std::byte*>(v.c + i), reinterpret_cast<const std::byte*>(&sum),
                 sizeof sum);
  }
  stream_fence();
  add(v, i, last);
}

template <class T>
void vector_add(const Vectors<T>& v, int threads) {
  constexpr std::size_t line = 64 / sizeof(T);
  const std::size_t lines = ceil_div(v.n, line), shares = static_cast<std::size_t>(threads);
  const bool stream = v.n * sizeof(T) >= streamed_bytes;
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t share = 0; share < shares; ++share) {
    const std::size_t first = lines * share / shares * line;
    const std::size_t last = std::min(lines * (share + 1) / shares * line, v.n);
    stream ? add_streamed(v, first, last) : add(v, first, last);
  }
}

struct Team : VectorAddVariant {
  static constexpr std::string_view name = "team";
  static constexpr std::string_view summary =
      "by hand: a contiguous share a thread, streamed stores";
  static constexpr Model model = Model::openmp;

  static void run(const Call& call) {
    with_addend(call.type, [&](auto zero) {
      vector_add(vectors_of<decltype(zero)>(call), call.queue.threads);
    });
  }
};
const HostVariant<Team> registered{__FILE__};

} // namespace
} // namespace ado::bench
