// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of kernels that are written once for all backends: packs of numbers that a lane loads,
// adds and stores together. On a CPU a pack is a SIMD register, on a GPU the bytes of one access. A
// kernel names neither.
#pragma once

#include <ado/core/elements.hpp>
#include <ado/host/registers.hpp>
#include <ado/host/streamed_stores.hpp>
#include <ado/portable/constants.hpp>
#include <ado/portable/pack.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

/// Before a loop over slots, rows or packs, which has to become registers: GCC would keep larger
/// arrays in memory.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define ADO_REGISTERS ADO_UNROLL
#else
#define ADO_REGISTERS _Pragma("GCC unroll 16")
#endif
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || defined(__SYCL_DEVICE_ONLY__)
#define ADO_DEVICE_CODE
#endif

namespace ado::one {

/// The memory of a pack: registers of a GPU, or one of a CPU. A CPU's is a vector type of the
/// compiler; elements that are only moved, and are larger than a number, are words in it.
#ifdef ADO_DEVICE_CODE
template <class T, int n>
using Slots = T[n];
#else
template <class T, int n, class W = std::conditional_t<std::is_arithmetic_v<T>, T, std::uint64_t>>
using Slots = std::conditional_t<n == 1, T[1], detail::Register<W, n * sizeof(T) / sizeof(W)>>;
#endif

/// n numbers side by side, a power of two of them. Each slot is a sum of its own, so no order of
/// additions is left to the compiler.
template <class T, int n>
struct alignas(n == 1 ? alignof(T) : n * sizeof(T)) Pack {
  using Number = T;
  static constexpr int size = n;
  Slots<T, n> slots;

  friend KOKKOS_INLINE_FUNCTION Pack operator+(const Pack& a, const Pack& b) {
    return by_slots(a, b, [](auto& x, const auto& y) { x += y; });
  }
  friend KOKKOS_INLINE_FUNCTION Pack operator*(const Pack& a, const Pack& b) {
    return by_slots(a, b, [](auto& x, const auto& y) { x *= y; });
  }
  friend KOKKOS_INLINE_FUNCTION Pack operator/(const Pack& a, const Pack& b) {
    return by_slots(a, b, [](auto& x, const auto& y) { x /= y; });
  }
  KOKKOS_INLINE_FUNCTION Pack& operator+=(const Pack& other) { return *this = *this + other; }
  /// All slots alike.
  KOKKOS_INLINE_FUNCTION static Pack of(T value) {
    // Less 0, so that a register is made of it, also of -0. (Less the other pack, nvcc unrolls
    // loops less.)
    return by_slots(Pack{}, Pack{},
                    [&](auto& x, const auto&) { x = value - std::decay_t<decltype(x)>{}; });
  }
  KOKKOS_INLINE_FUNCTION T get(int slot) const {
    T value;
    if constexpr (std::is_same_v<std::decay_t<decltype(slots[0])>, T>)
      value = slots[slot];
    else // it moves as words
      std::memcpy(&value, reinterpret_cast<const T*>(&slots) + slot, sizeof value);
    return value;
  }
  KOKKOS_INLINE_FUNCTION void set(int slot, T value) {
    if constexpr (std::is_same_v<std::decay_t<decltype(slots[0])>, T>)
      slots[slot] = value;
    else
      std::memcpy(reinterpret_cast<T*>(&slots) + slot, &value, sizeof value);
  }

private:
  template <class F>
  KOKKOS_INLINE_FUNCTION static Pack by_slots(Pack a, const Pack& b, const F& f) {
    if constexpr (std::is_array_v<Slots<T, n>>) {
      ADO_UNROLL
      for (int k = 0; k < n; ++k)
        f(a.slots[k], b.slots[k]);
    } else {
      f(a.slots, b.slots);
    }
    return a;
  }
};

/// A pack as one access of a GPU moves it.
template <class P>
using Words =
    detail::Words<sizeof(P), detail::ElementOfBytes<Kokkos::min(sizeof(P), std::size_t{8})>>;

/// The numbers from `from` on, which is a multiple of the pack's size where packs begin nowhere
/// else.
template <class P>
KOKKOS_INLINE_FUNCTION P load(const typename P::Number* from) {
#ifdef ADO_DEVICE_CODE
  const auto words = *reinterpret_cast<const Words<P>*>(from); // without it nvcc loads bytes
  return Kokkos::bit_cast<P>(words);
#else
  P pack;
  std::memcpy(&pack.slots, from, sizeof pack.slots);
  return pack;
#endif
}

/// The numbers from `row + first` to `row + n`, fewer than a pack, in some slots, and zeros in the
/// others. A CPU reads the last pack of the row, so there n is at least a pack.
template <class P>
KOKKOS_INLINE_FUNCTION P load_rest(const typename P::Number* row, std::size_t first,
                                   std::size_t n) {
  P rest{};
#ifdef ADO_DEVICE_CODE
  ADO_UNROLL
  for (int k = 0; k < P::size - 1; ++k)
    if (first + k < n) rest.slots[k] = row[first + k];
#else
  if constexpr (P::size > 1)
    rest.slots = detail::last_lanes<typename P::Number, P::size>(load<P>(row + n - P::size).slots,
                                                                 n - first);
#endif
  return rest;
}

/// Writes to where `load` could read.
template <class P>
KOKKOS_INLINE_FUNCTION void store(typename P::Number* to, const P& pack) {
#ifdef ADO_DEVICE_CODE
  *reinterpret_cast<Words<P>*>(to) = Kokkos::bit_cast<Words<P>>(pack);
#else
  detail::store(to, pack.slots);
#endif
}

/// Writes to global memory what nobody reads soon, in one piece: past a CPU's caches, so that it
/// need not read the overwritten lines first. `to` is a multiple of the pack's size. Others see it
/// after store_fence().
template <class P>
KOKKOS_INLINE_FUNCTION void store_past_cache(typename P::Number* to, const P& pack) {
#if defined(__CUDA_ARCH__) // nvcc 13.0 splits some stores of 16 bytes
  if constexpr (sizeof(P) == 16) {
    const auto words = Kokkos::bit_cast<Words<P>>(pack);
    asm volatile("st.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(words.word[0]),
                 "l"(words.word[1])
                 : "memory");
    return;
  }
#elif !defined(ADO_DEVICE_CODE)
  if constexpr (sizeof(P) >= 16) return detail::stream_register(to, pack.slots); // none is narrower
#endif
  one::store(to, pack);
}
KOKKOS_INLINE_FUNCTION void store_fence() { KOKKOS_IF_ON_HOST((detail::stream_fence();)) }

/// Asks for what will be read soon.
template <class T>
KOKKOS_INLINE_FUNCTION void prefetch([[maybe_unused]] const T* at) {
  KOKKOS_IF_ON_HOST((__builtin_prefetch(at, 0, 2);))
}

/// The columns of a block: pack j has numbers j of its rows, one row for each slot, which lie `ld`
/// apart.
template <int columns, class T, int rows>
KOKKOS_FORCEINLINE_FUNCTION void load_columns(const T* from, std::size_t ld,
                                              Pack<T, rows> (&column)[columns]) {
#if defined(ADO_SHUFFLE) && !defined(ADO_DEVICE_CODE)
  if constexpr (rows > 1 && rows % columns == 0) { // a row or several in a register, and shuffles
    [&]<std::size_t... r>([[maybe_unused]] std::index_sequence<r...> all)
        __attribute__((always_inline)) {
      Slots<T, rows> row[columns] = {
          detail::load_rows<Slots<T, rows>>(from + r * ld, columns * ld)...};
      if constexpr (columns > 1) detail::interleave_rows<columns>(row, all);
      ((column[r].slots = row[r]), ...);
    }
    (std::make_index_sequence<columns>());
    return;
  }
#endif
  Pack<T, columns> row[rows];
  ADO_REGISTERS
  for (int i = 0; i < rows; ++i)
    row[i] = one::load<Pack<T, columns>>(from + i * ld);
  ADO_REGISTERS
  for (int j = 0; j < columns; ++j) {
    Pack<T, rows> turned{};
    ADO_REGISTERS
    for (int i = 0; i < rows; ++i)
      turned.set(i, row[i].get(j));
    column[j] = turned;
  }
}

/// The sum of all slots, as a tree.
template <class T, int n>
KOKKOS_INLINE_FUNCTION T sum_of_slots(const Pack<T, n>& pack) {
  if constexpr (n == 1) {
    return pack.get(0);
  } else {
    Pack<T, n / 2> low, high;
    std::memcpy(&low, &pack, sizeof low);
    std::memcpy(&high, reinterpret_cast<const char*>(&pack) + sizeof low, sizeof high);
    return sum_of_slots(low + high);
  }
}

/// The same of some packs, by the same trees.
template <class T, int n, int rows>
KOKKOS_INLINE_FUNCTION Pack<T, rows> sums_of_slots(const Pack<T, n> (&packs)[rows]) {
  Pack<T, rows> sums{};
#if defined(ADO_SHUFFLE) && !defined(ADO_DEVICE_CODE)
  if constexpr (rows == 4 && (n == 4 || n == 8) &&
                sizeof packs[0] <= detail::widest_register_bytes) {
    sums.slots =
        detail::sums_of_lanes<T, n>(packs[0].slots, packs[1].slots, packs[2].slots, packs[3].slots);
    return sums;
  }
#endif
  ADO_REGISTERS
  for (int r = 0; r < rows; ++r)
    sums.set(r, sum_of_slots(packs[r]));
  return sums;
}

/// Calls f with the largest pack of up to `bytes` for rows of `count` numbers, as Pack<T, n>{}.
/// `aligned`: all rows begin at multiples of `bytes`.
template <class Exec, class T, std::size_t bytes = Constants<Exec>::pack_bytes, class F>
void with_pack(std::size_t count, bool aligned, const F& f) {
  constexpr int most = bytes / sizeof(T);
  const bool widest = Constants<Exec>::packs_begin_anywhere ? count >= most : aligned;
  widest ? f(Pack<T, most>{}) : f(Pack<T, 1>{});
}

/// Packs that a team should have where `packs` lie side by side: `each` for a lane; on a CPU an
/// equal share for every thread, of whole lines.
template <class P, class Exec>
std::size_t packs_of_team(const Exec& exec, std::size_t packs, std::size_t each) {
  constexpr std::size_t of_line = sizeof(P) < 64 ? 64 / sizeof(P) : 1;
  const std::size_t share =
      detail::runs_on_host<Exec> ? detail::ceil_div(packs, detail::threads_of(exec)) : 0;
  return Kokkos::max(each * Constants<Exec>::team_threads, detail::round_up(share, of_line));
}

} // namespace ado::one
