// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of kernels that are written once for all backends: packs of numbers that a lane loads, adds and stores
// together. On a CPU a pack is a SIMD register, on a GPU what one access moves. A kernel names neither.
#pragma once

#include <ado/host/registers.hpp>
#include <ado/host/streamed_stores.hpp>
#include <ado/portable/constants.hpp>
#include <ado/portable/pack.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

/// Before a loop over slots, rows or packs, which has to become registers: GCC would keep larger arrays in memory.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define ADO_REGISTERS ADO_UNROLL
#else
#define ADO_REGISTERS _Pragma("GCC unroll 16")
#endif
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__) || defined(__SYCL_DEVICE_ONLY__)
#define ADO_DEVICE_CODE
#endif

namespace ado::one {

/// What a CPU has n of T in. Elements that are only moved, and are larger than a number, move as words.
template <class T, int n>
using Slots = typename std::conditional_t<
    std::is_arithmetic_v<T>, detail::RegisterOf<T, n>,
    std::conditional_t<n == 1, detail::RegisterOf<T, 1>,
                       detail::RegisterOf<std::uint64_t, n * sizeof(T) / 8>>>::type;

/// n numbers side by side, a power of two of them. Each slot is a sum of its own, so no order of additions is left to
/// the compiler.
template <class T, int n>
struct alignas(n == 1 ? alignof(T) : n * sizeof(T)) Pack {
  using Number = T;
  static constexpr int size = n;
#ifdef ADO_DEVICE_CODE
  T slots[n];
#else
  Slots<T, n> slots;
#endif

  friend KOKKOS_INLINE_FUNCTION Pack operator+(const Pack& a, const Pack& b) {
    return by_slots(a, b, [](auto& x, const auto& y) { x += y; });
  }
  friend KOKKOS_INLINE_FUNCTION Pack operator*(const Pack& a, const Pack& b) {
    return by_slots(a, b, [](auto& x, const auto& y) { x *= y; });
  }
  friend KOKKOS_INLINE_FUNCTION Pack operator/(const Pack& a, const Pack& b) {
    return by_slots(a, b, [](auto& x, const auto& y) { x /= y; });
  }
  /// All slots alike.
  KOKKOS_INLINE_FUNCTION static Pack of(T value) {
#ifdef ADO_DEVICE_CODE
    Pack pack;
    ADO_UNROLL
    for (int k = 0; k < n; ++k)
      pack.slots[k] = value;
    return pack;
#else
    return {value - decltype(slots){}}; // also of -0
#endif
  }
  KOKKOS_INLINE_FUNCTION Pack& operator+=(const Pack& other) { return *this = *this + other; }
  KOKKOS_INLINE_FUNCTION T get(int slot) const {
    if constexpr (std::is_same_v<decltype(slots), T>) { // of one number
      return slots;
    } else if constexpr (std::is_same_v<std::decay_t<decltype(slots[0])>, T>) {
      return slots[slot];
    } else { // that moves as words
      T value;
      std::memcpy(&value, reinterpret_cast<const T*>(&slots) + slot, sizeof value);
      return value;
    }
  }
  KOKKOS_INLINE_FUNCTION void set(int slot, T value) {
    if constexpr (std::is_same_v<decltype(slots), T>)
      slots = value;
    else if constexpr (std::is_same_v<std::decay_t<decltype(slots[0])>, T>)
      slots[slot] = value;
    else
      std::memcpy(reinterpret_cast<T*>(&slots) + slot, &value, sizeof value);
  }

private:
  template <class F>
  KOKKOS_INLINE_FUNCTION static Pack by_slots(Pack a, const Pack& b, const F& f) {
#ifdef ADO_DEVICE_CODE
    ADO_UNROLL
    for (int k = 0; k < n; ++k)
      f(a.slots[k], b.slots[k]);
#else
    f(a.slots, b.slots);
#endif
    return a;
  }
};

/// A pack as one access of a GPU moves it.
template <std::size_t bytes>
using Words = detail::Words<
    bytes, std::conditional_t<
               bytes >= 8, std::uint64_t,
               std::conditional_t<bytes == 4, std::uint32_t,
                                  std::conditional_t<bytes == 2, std::uint16_t, std::uint8_t>>>>;

/// The numbers from `from` on, which is a multiple of the pack's size where packs begin nowhere else.
template <class P>
KOKKOS_INLINE_FUNCTION P load(const typename P::Number* from) {
#ifdef ADO_DEVICE_CODE
  const auto words = *reinterpret_cast<const Words<sizeof(P)>*>(from);
  return Kokkos::bit_cast<P>(words);
#else
  P pack;
  std::memcpy(&pack.slots, from, sizeof pack.slots);
  return pack;
#endif
}

/// The numbers from `row + first` to `row + n`, fewer than a pack, in some slots, and zeros in the others. A CPU reads the
/// last pack of the row, so there n is at least a pack.
template <class P>
KOKKOS_INLINE_FUNCTION P load_rest(const typename P::Number* row, std::size_t first,
                                   std::size_t n) {
#ifdef ADO_DEVICE_CODE
  P rest{};
  ADO_UNROLL
  for (int k = 0; k < P::size - 1; ++k)
    if (first + k < n) rest.slots[k] = row[first + k];
  return rest;
#else
  if constexpr (P::size == 1)
    return {};
  else
    return {detail::last_lanes<typename P::Number, P::size>(load<P>(row + n - P::size).slots,
                                                            n - first)};
#endif
}

/// Writes to where `load` could read.
template <class P>
KOKKOS_INLINE_FUNCTION void store(typename P::Number* to, const P& pack) {
#ifdef ADO_DEVICE_CODE
  *reinterpret_cast<Words<sizeof(P)>*>(to) = Kokkos::bit_cast<Words<sizeof(P)>>(pack);
#else
  detail::store(to, pack.slots);
#endif
}

/// Writes to global memory what nobody reads soon, in one piece: past a CPU's caches, so that it need not read first what is
/// overwritten whole. `to` is a multiple of the pack's size. Others see it after store_fence().
template <class P>
KOKKOS_INLINE_FUNCTION void store_past_cache(typename P::Number* to, const P& pack) {
#ifdef ADO_DEVICE_CODE
#ifdef __CUDA_ARCH__ // nvcc 13.0 splits some stores of 16 bytes
  if constexpr (sizeof(P) == 16) {
    const auto words = Kokkos::bit_cast<Words<16>>(pack);
    asm volatile("st.global.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(words.word[0]),
                 "l"(words.word[1])
                 : "memory");
    return;
  }
#endif
  one::store(to, pack);
#else
  if constexpr (sizeof(P) < 16) // CPUs have no such store
    one::store(to, pack);
  else
    detail::stream_register(to, pack.slots);
#endif
}
KOKKOS_INLINE_FUNCTION void store_fence() { KOKKOS_IF_ON_HOST((detail::stream_fence();)) }

/// Asks for what will be read soon.
template <class T>
KOKKOS_INLINE_FUNCTION void prefetch([[maybe_unused]] const T* at) {
  KOKKOS_IF_ON_HOST((__builtin_prefetch(at, 0, 2);))
}

/// The columns of a block: pack j has numbers j of so many rows as it has slots, which lie `ld` apart.
template <int columns, class T, int rows>
KOKKOS_FORCEINLINE_FUNCTION void load_columns(const T* from, std::size_t ld,
                                              Pack<T, rows> (&column)[columns]) {
#if defined(ADO_SHUFFLE) && !defined(ADO_DEVICE_CODE)
  if constexpr (rows % columns ==
                0) { // one row in each register, or several, and rounds of shuffles
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
#ifdef ADO_DEVICE_CODE
  Pack<T, n> sum = pack;
  ADO_UNROLL
  for (int half = n / 2; half > 0; half /= 2)
    ADO_UNROLL
  for (int k = 0; k < half; ++k)
    sum.slots[k] += sum.slots[k + half];
  return sum.slots[0];
#else
  return detail::sum_of_lanes<T, n>(pack.slots);
#endif
}

/// Calls f with the largest pack of up to `bytes` for rows of `count` numbers, as Pack<T, n>{}. `aligned`: all rows begin at
/// multiples of `bytes`.
template <class Exec, class T, std::size_t bytes = Constants<Exec>::pack_bytes, class F>
void with_pack(std::size_t count, bool aligned, const F& f) {
  constexpr int most = bytes / sizeof(T);
  const bool widest = Constants<Exec>::packs_begin_anywhere ? count >= most : aligned;
  widest ? f(Pack<T, most>{}) : f(Pack<T, 1>{});
}

/// Packs that a team should have where `packs` lie side by side: `each` for a lane; on a CPU an equal share for every thread,
/// of whole lines.
template <class P, class Exec>
std::size_t packs_of_team(const Exec& exec, std::size_t packs, std::size_t each) {
  const std::size_t least = each * Constants<Exec>::team_threads;
  if constexpr (detail::runs_on_host<Exec>) {
    constexpr std::size_t of_line = sizeof(P) < 64 ? 64 / sizeof(P) : 1;
    const std::size_t share = detail::ceil_div(packs, detail::threads_of(exec));
    return Kokkos::max(least, detail::round_up(share, of_line));
  } else {
    return least;
  }
}

} // namespace ado::one
