// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums along rows on one host thread, in SIMD registers. host/openmp_sum.hpp does the same for the
// hand-written twins and is written anew on purpose: twins that share their code would compare it
// with itself.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/host/registers.hpp>

#include <cstddef>

namespace ado::detail {

/// Rows that are summed at once. A core prefetches the next lines of several streams, so it reads
/// four rows together faster than one after the other. Four long rows also share their reads of x
/// (docs/lab/constants.md#shared).
inline constexpr std::size_t host_rows_at_once = 4;

/// Whether a row that is alone is summed as four quarters.
template <class T>
constexpr bool host_sums_quarters(std::size_t n) {
  return n * sizeof(T) >= 16 * 1024;
}
/// Elements of a quarter, whole registers.
template <class T>
constexpr std::size_t host_quarter(std::size_t n) {
  return n / (4 * register_lanes<T>)*register_lanes<T>;
}

/// sums[r] = sum of term(rows[r][k], r * apart + k) for first <= k < n. `term` takes a register of
/// `lanes` elements and the index of the first. n: at least `lanes`. The last register of a row
/// ends with it; its lanes that the register before had do not count. Inlined: arguments in memory
/// cost a short row as much as its sum.
template <std::size_t lanes, std::size_t count, class T, class Term>
[[gnu::always_inline]] inline void host_sums(const T* const (&rows)[count], std::size_t apart,
                                             std::size_t first, std::size_t n, const Term& term,
                                             T (&sums)[count]) {
  using R = Register<T, lanes>;
  R sum[count] = {};
  std::size_t k = first;
  for (; k + lanes <= n; k += lanes)
#pragma GCC unroll 4
    for (std::size_t r = 0; r < count; ++r)
      sum[r] += term(load<R>(rows[r] + k), r * apart + k);
  if constexpr (lanes > 1)
    if (k < n)
#pragma GCC unroll 4
      for (std::size_t r = 0; r < count; ++r) {
        const R last = term(load<R>(rows[r] + n - lanes), r * apart + n - lanes);
        sum[r] += last_lanes<T, lanes>(last, n - k);
      }
#pragma GCC unroll 4
  for (std::size_t r = 0; r < count; ++r)
    sums[r] = sum_of_lanes<T, lanes>(sum[r]);
}

/// Sum of term(row[k], k) for k < n.
template <class T, class Term>
T host_sum(const T* row, std::size_t n, const Term& term) {
  T rest[1];
  if (!host_sums_quarters<T>(n)) {
    with_lanes_filled_by<T>(n, [&](auto lanes) { host_sums<lanes>({row}, 0, 0, n, term, rest); });
    return rest[0];
  }
  constexpr std::size_t lanes = register_lanes<T>;
  const std::size_t part = host_quarter<T>(n);
  T sums[4];
  host_sums<lanes>({row, row + part, row + 2 * part, row + 3 * part}, part, 0, part, term, sums);
  host_sums<lanes>({row}, 0, 4 * part, n, term, rest);
  return sums[0] + sums[1] + (sums[2] + sums[3]) + rest[0];
}

/// sums[r] = host_sum(rows[r], n, term), with the same order of additions, for rows that share
/// other reads of `term`: from quarter to quarter, all rows at once.
template <std::size_t count, class T, class Term>
void host_sum_together(const T* const (&rows)[count], std::size_t n, const Term& term,
                       T (&sums)[count]) {
  if (!host_sums_quarters<T>(n))
    return with_lanes_filled_by<T>(
        n, [&](auto lanes) { host_sums<lanes>(rows, 0, 0, n, term, sums); });
  constexpr std::size_t lanes = register_lanes<T>;
  const std::size_t part = host_quarter<T>(n);
  T of[5][count]; // the quarters, and the rest
  for (std::size_t q = 0; q < 5; ++q)
    host_sums<lanes>(rows, 0, q * part, q < 4 ? (q + 1) * part : n, term, of[q]);
  for (std::size_t r = 0; r < count; ++r)
    sums[r] = of[0][r] + of[1][r] + (of[2][r] + of[3][r]) + of[4][r];
}

/// Calls store(i, sum) for the rows i < count of n elements, in no particular order. `rows` gives
/// the start of a row. Four rows are summed at once; they are a quarter of `count` apart. Rows left
/// over have the same order of additions, so the bits of a sum do not depend on its row's place.
template <class T, class Rows, class Term, class Store>
void host_sum_rows(std::size_t count, std::size_t n, const Rows& rows, const Term& term,
                   const Store& store) {
  const std::size_t apart = count / host_rows_at_once;
  with_lanes_filled_by<T>(n, [&](auto lanes) {
    for (std::size_t i = 0; i < apart; ++i) {
      T sums[4];
      host_sums<lanes>({rows(i), rows(i + apart), rows(i + 2 * apart), rows(i + 3 * apart)}, 0, 0,
                       n, term, sums);
      for (std::size_t r = 0; r < host_rows_at_once; ++r)
        store(i + r * apart, sums[r]);
    }
    for (std::size_t i = host_rows_at_once * apart; i < count; ++i) {
      T sums[1];
      host_sums<lanes>({rows(i)}, 0, 0, n, term, sums);
      store(i, sums[0]);
    }
  });
}

} // namespace ado::detail
