// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers of a CPU, in which sums along rows are made, by hand and in Kokkos. They are vector
// types of the compiler: it would keep arrays of numbers in memory wherever a loop over them is not
// a constant number of whole registers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace ado::detail {

/// AVX-512 has wider ones; sums along rows are slower with them (docs/lab/constants.md#shared).
#ifdef __AVX__
inline constexpr std::size_t register_bytes = 32;
#else
inline constexpr std::size_t register_bytes = 16;
#endif
/// For products, which are limited by their operations.
#ifdef __AVX512F__
inline constexpr std::size_t widest_register_bytes = 64;
#else
inline constexpr std::size_t widest_register_bytes = register_bytes;
#endif
template <class T>
inline constexpr std::size_t register_lanes = register_bytes / sizeof(T);

template <class T, std::size_t lanes>
struct RegisterOf {
  typedef T type __attribute__((vector_size(lanes * sizeof(T))));
};
template <class T>
struct RegisterOf<T, 1> {
  using type = T;
};
/// `lanes` numbers side by side, a power of two of them; one is a T.
template <class T, std::size_t lanes>
using Register = typename RegisterOf<T, lanes>::type;

/// The numbers from `from` on, at any alignment.
template <class R, class T>
R load(const T* from) {
  R loaded;
  std::memcpy(&loaded, from, sizeof loaded);
  return loaded;
}

/// Stores all lanes from `to` on, at any alignment. (GCC copies registers of 64 bytes by way of the
/// stack with memcpy.)
template <class R, class T>
void store(T* to, const R& value) {
  if constexpr (sizeof(R) == sizeof(T)) {
    std::memcpy(to, &value, sizeof value);
  } else {
    typedef R Anywhere __attribute__((aligned(1), may_alias));
    *reinterpret_cast<Anywhere*>(to) = value;
  }
}

/// Registers of 32 bytes take 16 from one row and 16 from the row that is `step` numbers further;
/// narrower ones do not.
template <class R, class T>
R load_rows(const T* from, std::size_t step) {
#ifdef __AVX2__
  if constexpr (sizeof(R) == 32) {
    const __m128i low = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i high = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + step));
    return (R)_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
  }
#endif
  static_cast<void>(step);
  return load<R>(from);
}

/// `values` with zeros in all lanes but the last `kept`, whatever they held: a product with 0 would
/// be NaN where they are NaN or infinite.
template <class T, std::size_t lanes>
Register<T, lanes> last_lanes(const Register<T, lanes>& values, std::size_t kept) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  struct Window {
    Bits bits[2 * lanes] = {}; ///< half of them 0, half of them all ones
    constexpr Window() {
      for (std::size_t k = lanes; k < 2 * lanes; ++k)
        bits[k] = -1;
    }
  };
  static constexpr Window window;
  using Mask = Register<Bits, lanes>;
  return (Register<T, lanes>)((Mask)values & load<Mask>(window.bits + kept));
}

/// The sum of all lanes, as a tree.
template <class T, std::size_t lanes>
T sum_of_lanes(const Register<T, lanes>& values) {
  if constexpr (lanes == 1) {
    return values;
  } else {
    Register<T, lanes / 2> low, high;
    std::memcpy(&low, &values, sizeof low);
    std::memcpy(&high, reinterpret_cast<const char*>(&values) + sizeof low, sizeof high);
    low += high;
    return sum_of_lanes<T, lanes / 2>(low);
  }
}

// GCC's shuffle takes its indices as a vector of integers, as a comparison gives. nvcc passes that
// on to GCC, but garbles the indices of Clang's shuffle.
#if defined(__has_builtin)
#if __has_builtin(__builtin_shuffle)
#define ADO_SHUFFLE(x, y, ...) __builtin_shuffle(x, y, decltype(x < y){__VA_ARGS__})
#elif __has_builtin(__builtin_shufflevector)
#define ADO_SHUFFLE(x, y, ...) __builtin_shufflevector(x, y, __VA_ARGS__)
#endif
#endif

#ifdef ADO_SHUFFLE
/// Interleaves the low or the high halves of two registers, lane by lane of n elements.
template <bool high, int n, class R, std::size_t... k>
R interleave(R x, R y, std::index_sequence<k...>) {
  constexpr int all = sizeof...(k);
  return ADO_SHUFFLE(x, y,
                     (int(k) / n * n + (high ? n / 2 : 0) + int(k) % n / 2 + (k % 2 ? all : 0))...);
}

/// Interleaves row r with row r + k/2 for all r: after log2(k) times, the rows are the columns, in
/// each 16 bytes or so of k elements. (Always inline: gcc would keep sixteen registers in memory
/// between two rounds.)
template <int k, int rounds = k / 2, class R, std::size_t... r>
[[gnu::always_inline]] inline void interleave_rows(R* row, std::index_sequence<r...> rows) {
  constexpr auto all = std::make_index_sequence<sizeof(R) / sizeof(row[0][0])>{};
  const R next[k] = {(r % 2 == 0 ? interleave<false, k>(row[r / 2], row[r / 2 + k / 2], all)
                                 : interleave<true, k>(row[r / 2], row[r / 2 + k / 2], all))...};
  ((row[r] = next[r]), ...);
  if constexpr (rounds > 1) interleave_rows<k, rounds / 2>(row, rows);
}

/// The low or the high half of each n lanes of x, each before those of y.
template <bool high, int n, class R, std::size_t... k>
R halves(R x, R y, std::index_sequence<k...>) {
  constexpr int all = sizeof...(k);
  return ADO_SHUFFLE(
      x, y,
      (int(k) / n * n + (high ? n / 2 : 0) + int(k) % (n / 2) + (int(k) % n < n / 2 ? 0 : all))...);
}

/// sum_of_lanes() of four registers in half of the instructions: added halves of two registers fill
/// one.
template <class T, std::size_t lanes>
Register<T, 4> sums_of_lanes(const Register<T, lanes>& a, const Register<T, lanes>& b,
                             const Register<T, lanes>& c, const Register<T, lanes>& d) {
  static_assert(lanes == 4 || lanes == 8);
  using R = Register<T, lanes>;
  constexpr auto all = std::make_index_sequence<lanes>{};
  const R ac = halves<false, lanes>(a, c, all) + halves<true, lanes>(a, c, all);
  const R bd = halves<false, lanes>(b, d, all) + halves<true, lanes>(b, d, all);
  const R of_all = halves<false, lanes / 2>(ac, bd, all) + halves<true, lanes / 2>(ac, bd, all);
  if constexpr (lanes == 4) {
    return of_all;
  } else { // two numbers of each
    Register<T, 4> of_ab, of_cd;
    std::memcpy(&of_ab, &of_all, sizeof of_ab);
    std::memcpy(&of_cd, reinterpret_cast<const char*>(&of_all) + sizeof of_ab, sizeof of_cd);
    return ADO_SHUFFLE(of_ab, of_cd, 0, 2, 4, 6) + ADO_SHUFFLE(of_ab, of_cd, 1, 3, 5, 7);
  }
}
#endif

/// Lanes of the widest register that `count` elements fill.
constexpr std::size_t lanes_filled_by(std::size_t count, std::size_t element_bytes) {
  std::size_t lanes = register_bytes / element_bytes;
  while (lanes > 1 && lanes > count)
    lanes /= 2;
  return lanes;
}
/// Calls f with these as a constant (std::integral_constant).
template <class T, std::size_t lanes = register_lanes<T>, class F>
void with_lanes_filled_by(std::size_t count, const F& f) {
  if constexpr (lanes > 1)
    if (count < lanes) return with_lanes_filled_by<T, lanes / 2>(count, f);
  f(std::integral_constant<std::size_t, lanes>());
}

} // namespace ado::detail
