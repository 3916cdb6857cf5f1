// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread's share of a sum of many terms, with wide loads. team_sums.hpp adds up the shares.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/pack.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace ado::detail {

/// Packs (or elements) that a lane asks for before it adds the first: what hides the memory's
/// latency. H200, average 1024^3 f32, CUDA 13.0: 0.933 ms with eight packs; an earlier form of the
/// loop took 0.972 with one pack, and 1.83 with one element.
inline constexpr int loads_in_flight = 8;

/// Partial sums on a host: 256 bytes, eight AVX2 registers, so that additions overlap. The rest of a row,
/// or all of a short row, has one register: filling and adding up more would take longer than the sum
/// itself.
template <class T>
inline constexpr int host_partial_sums = 256 / sizeof(T);
template <class T>
inline constexpr int host_short_sums = 32 / sizeof(T);
/// Partial sums of each of four rows that are summed at once. A core prefetches the next lines of several
/// streams, so four rows together are read faster than one after the other. One core of an AMD EPYC (Zen
/// 3), GB/s: rows of 384 f32 20 one at a time, 23.5 four at a time; of 1024 17.5, 21.3; a long row as
/// four quarters 17.3, 20.4. Four long rows also share what is read of x: yax of rows of 4096 f64 27.0 as
/// quarters, 32.3 four at a time; of 2500 21.6, 32.0.
template <class T>
inline constexpr int host_quarter_sums = host_partial_sums<T> / 4;

/// Whether a host sums rows of n elements four at a time, if there are four; and one row as four
/// quarters.
template <class T>
constexpr bool four_rows_at_once(std::size_t n) {
  return n >= std::size_t{host_partial_sums<T>};
}
template <class T>
constexpr bool four_quarters_at_once(std::size_t n) {
  return n * sizeof(T) >= 16 * 1024;
}

/// Sum of term(row[k], k) for first <= k < last by `lanes` partial sums: the inner loop has a constant
/// trip count and no dependence between its iterations, and becomes SIMD instructions.
template <int lanes, class T, class Term>
T host_sum_by(const T* row, std::size_t first, std::size_t last, const Term& term) {
  T sum[lanes] = {};
  std::size_t k = first;
  for (; k + lanes <= last; k += lanes) {
    ADO_SIMD
    for (int lane = 0; lane < lanes; ++lane)
      sum[lane] += term(row[k + lane], k + lane);
  }
  for (int lane = 0; k + lane < last; ++lane)
    sum[lane] += term(row[k + lane], k + lane);
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane)
      sum[lane] += sum[lane + half];
  return sum[0];
}

/// sums[r] = sum over k < n of term(rows[r][k], r * apart + k).
template <class T, class Term>
void host_four_sums(const T* const (&rows)[4], std::size_t n, std::size_t apart, const Term& term,
                    T (&sums)[4]) {
  constexpr int lanes = host_quarter_sums<T>;
  T sum[4][lanes] = {};
  std::size_t k = 0;
  for (; k + lanes <= n; k += lanes)
    for (int r = 0; r < 4; ++r) {
      ADO_SIMD
      for (int lane = 0; lane < lanes; ++lane)
        sum[r][lane] += term(rows[r][k + lane], r * apart + k + lane);
    }
  for (int r = 0; r < 4; ++r) {
    for (int lane = 0; k + lane < n; ++lane)
      sum[r][lane] += term(rows[r][k + lane], r * apart + k + lane);
    for (int half = lanes / 2; half > 0; half /= 2)
      for (int lane = 0; lane < half; ++lane)
        sum[r][lane] += sum[r][lane + half];
    sums[r] = sum[r][0];
  }
}
/// Elements of each of the four parts of a long row, whole rounds of its partial sums.
template <class T>
std::size_t host_quarter(std::size_t n) {
  return n / (4 * host_quarter_sums<T>)*host_quarter_sums<T>;
}

/// Sum of term(row[k], k) for k < n on one host thread. openmp_sum() does the same for the hand-written
/// twins and is written anew on purpose: twins that share their code would compare it with itself.
template <class T, class Term>
T host_sum(const T* row, std::size_t n, const Term& term) {
  constexpr int lanes = host_partial_sums<T>, few = host_short_sums<T>;
  if (four_quarters_at_once<T>(n)) {
    const std::size_t part = host_quarter<T>(n);
    T sums[4];
    host_four_sums({row, row + part, row + 2 * part, row + 3 * part}, part, part, term, sums);
    return sums[0] + sums[1] + (sums[2] + sums[3]) + host_sum_by<few>(row, 4 * part, n, term);
  }
  const std::size_t whole = n - n % lanes;
  if (whole == 0) return host_sum_by<few>(row, 0, n, term);
  const T sum = host_sum_by<lanes>(row, 0, whole, term);
  return whole == n ? sum : sum + host_sum_by<few>(row, whole, n, term);
}

/// Calls f(slot, first, k) for units first + k from 0 to `count` - 1, which are fewer than 2 * `power`.
/// They come in runs of `power`, ..., four, two and one unit, each run with slots of its own. That takes
/// a few branches, on which all lanes agree; a condition per unit would cost many. slot and k are
/// constants.
template <int power, int first_slot = 0, class F>
KOKKOS_FUNCTION void by_powers(unsigned count, const F& f) {
  if (count & power) {
    const unsigned done = count & ~(2u * power - 1);
    ADO_UNROLL
    for (int k = 0; k < power; ++k)
      f(first_slot + k, done, k);
  }
  if constexpr (power > 1) by_powers<power / 2, first_slot + power>(count, f);
}

/// One lane's share of the sum over `units`, packs or single elements: those at `lane`, `lane` + lanes,
/// ... It asks for equally many bytes at once in either form. Index: the type of `count`; with 32 bits
/// the sum takes half the instructions.
template <int lanes, class T, class Index, class Unit, class Term>
KOKKOS_FUNCTION T lane_sum_of(unsigned lane, const Unit* units, Index count, const Term& term) {
  constexpr std::size_t size = elements_of<Unit>;
  constexpr int in_flight = loads_in_flight * static_cast<int>(sizeof(Pack<T>) / sizeof(Unit));
  constexpr Index stride = Index{in_flight} * lanes;
  Unit loaded[in_flight];
  T sum = 0;
  Index first = 0;
  ADO_UNROLL_BY(1) // a doubled body would take twice the registers
  for (; count - first >= stride; first += stride) {
    // Constant distances from one address: an access is one instruction then.
    const Unit* const at = units + first + lane;
    const std::size_t index = (std::size_t{first} + lane) * size;
    ADO_UNROLL
    for (int u = 0; u < in_flight; ++u)
      loaded[u] = at[u * lanes];
    ADO_UNROLL
    for (int u = 0; u < in_flight; ++u)
      sum += term(loaded[u], index + u * lanes * size);
  }
  // Fewer units than that are left, and they too are asked for all at once: `whole` for every lane, and
  // one more for the first lanes.
  const auto left = static_cast<unsigned>(count - first);
  const unsigned whole = left / lanes;
  const bool one_more = lane < left % lanes;
  const Unit* const tail = units + first + lane;
  const std::size_t index = (std::size_t{first} + lane) * size;
  by_powers<in_flight / 2>(
      whole, [&](int slot, unsigned u, int k) { loaded[slot] = (tail + u * lanes)[k * lanes]; });
  if (one_more) loaded[in_flight - 1] = tail[whole * lanes];
  by_powers<in_flight / 2>(whole, [&](int slot, unsigned u, int k) {
    sum += term(loaded[slot], index + u * (lanes * size) + k * (lanes * size));
  });
  if (one_more) sum += term(loaded[in_flight - 1], index + whole * (lanes * size));
  return sum;
}

/// One lane's share of the sum on a device: whole packs where the row is `wide`, and what is left.
template <int lanes, class T, class Index, class Term>
KOKKOS_FUNCTION T lane_sum(unsigned lane, const T* row, Index n, bool wide, const Term& term) {
  if (!wide) return lane_sum_of<lanes, T>(lane, row, n, term);
  const Index packs = n / Pack<T>::size, rest = packs * Pack<T>::size + lane;
  T sum = lane_sum_of<lanes, T>(lane, reinterpret_cast<const Pack<T>*>(row), packs, term);
  if (rest < n) sum += term(row[rest], rest);
  return sum;
}

/// The terms of a plain sum.
template <class T>
struct Identity {
  KOKKOS_FUNCTION T operator()(T value, std::size_t) const { return value; }
  KOKKOS_FUNCTION T operator()(const Pack<T>& pack, std::size_t) const {
    T sum = pack.lane[0];
    for (int i = 1; i < Pack<T>::size; ++i)
      sum += pack.lane[i];
    return sum;
  }
};

} // namespace ado::detail
