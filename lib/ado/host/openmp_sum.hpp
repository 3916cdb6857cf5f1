// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A long sum on one CPU thread, by hand: what the OpenMP twins add with.
#pragma once

#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/host/registers.hpp>
#include <ado/registry/types.hpp>

#include <algorithm>
#include <cstddef>

namespace ado::bench {

/// What is summed: the numbers from `values` on. at<R>(k) is a register of them, the first is
/// number k.
template <class T>
struct OpenmpValues {
  const T* values;

  OpenmpValues from(std::size_t k) const { return {values + k}; }
  template <class R>
  R at(std::size_t k) const {
    return load<R>(values + k);
  }
};
/// Or their products with those from `factors` on.
template <class T>
struct OpenmpProducts {
  const T *values, *factors;

  OpenmpProducts from(std::size_t k) const { return {values + k, factors + k}; }
  template <class R>
  R at(std::size_t k) const {
    return load<R>(values + k) * load<R>(factors + k);
  }
};

/// The sums of terms first to count - 1 of some rows, each in a register of its own. count: at
/// least `lanes`. Numbers that fill no register come in one that ends with the row; of it only the
/// lanes count that were not added yet. Inlined: arguments in memory cost a short row as much as
/// its sum.
template <std::size_t lanes, class T, std::size_t rows, class Terms>
[[gnu::always_inline]] inline void openmp_sums(const Terms (&terms)[rows], std::size_t first,
                                               std::size_t count, T (&sums)[rows]) {
  using R = Register<T, lanes>;
  R side[rows] = {};
  for (; first + lanes <= count; first += lanes)
#pragma GCC unroll 4
    for (std::size_t r = 0; r < rows; ++r)
      side[r] += terms[r].template at<R>(first);
  if constexpr (lanes > 1)
    if (first < count)
#pragma GCC unroll 4
      for (std::size_t r = 0; r < rows; ++r)
        side[r] += last_lanes<T, lanes>(terms[r].template at<R>(count - lanes), count - first);
#pragma GCC unroll 4
  for (std::size_t r = 0; r < rows; ++r)
    sums[r] = sum_of_lanes<T, lanes>(side[r]);
}

/// Rows that are summed at once: a core reads four streams faster than one
/// (docs/lab/constants.md#shared).
inline constexpr std::size_t openmp_rows_at_once = 4;
/// From so many bytes on a row by itself is summed as four quarters.
inline constexpr std::size_t openmp_long_row = 16 * 1024;
/// Terms of a quarter, whole registers.
constexpr std::size_t openmp_quarter(std::size_t count, std::size_t element_bytes) {
  const std::size_t lanes = register_bytes / element_bytes;
  return count / (4 * lanes) * lanes;
}

/// Sum of the first `count` terms.
template <class T, class Terms>
T openmp_sum(std::size_t count, const Terms& terms) {
  T rest[1];
  if (count * sizeof(T) < openmp_long_row) {
    with_lanes_filled_by<T>(count,
                            [&](auto lanes) { openmp_sums<lanes>({terms}, 0, count, rest); });
    return rest[0];
  }
  constexpr std::size_t lanes = register_lanes<T>;
  const std::size_t quarter = openmp_quarter(count, sizeof(T));
  T sums[4];
  openmp_sums<lanes>({terms, terms.from(quarter), terms.from(2 * quarter), terms.from(3 * quarter)},
                     0, quarter, sums);
  openmp_sums<lanes>({terms}, 4 * quarter, count, rest);
  return (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest[0];
}

/// The same of some rows at once, which share the factors they meet: quarter after quarter, with
/// the same bits.
template <class T, std::size_t rows, class Terms>
void openmp_sum_side_by_side(std::size_t count, const Terms (&terms)[rows], T (&sums)[rows]) {
  if (count * sizeof(T) < openmp_long_row) {
    with_lanes_filled_by<T>(count, [&](auto lanes) { openmp_sums<lanes>(terms, 0, count, sums); });
    return;
  }
  constexpr std::size_t lanes = register_lanes<T>;
  const std::size_t quarter = openmp_quarter(count, sizeof(T));
  T quarters[4][rows], rest[rows];
  for (std::size_t q = 0; q < 4; ++q)
    openmp_sums<lanes>(terms, q * quarter, (q + 1) * quarter, quarters[q]);
  openmp_sums<lanes>(terms, 4 * quarter, count, rest);
  for (std::size_t r = 0; r < rows; ++r)
    sums[r] = (quarters[0][r] + quarters[1][r]) + (quarters[2][r] + quarters[3][r]) + rest[r];
}

/// Additions on the longest path to a row's sum: those of a lane, but for the first, which is
/// exact; then the tree over the lanes.
inline double openmp_row_steps(std::size_t count, Type type) {
  const std::size_t lanes = lanes_filled_by(count, size_of(type));
  return double(ceil_div(count, lanes)) - (count > 0) + tree_depth(lanes);
}
/// To openmp_sum(): three more where quarters and a rest are added.
inline double openmp_sum_steps(std::size_t count, Type type) {
  if (count * size_of(type) < openmp_long_row) return openmp_row_steps(count, type);
  return openmp_row_steps(openmp_quarter(count, size_of(type)), type) + 3;
}

/// store(i, sum of `count` terms_of(i)) for the rows i < rows, four at a time: they are a quarter
/// of the rows apart. The order of additions is the same for every row.
template <class T, class TermsOf, class Store>
void openmp_sum_rows(std::size_t rows, std::size_t count, const TermsOf& terms_of,
                     const Store& store) {
  const std::size_t apart = rows / openmp_rows_at_once;
  with_lanes_filled_by<T>(count, [&](auto lanes) {
    for (std::size_t i = 0; i < apart; ++i) {
      T sums[4];
      openmp_sums<lanes>(
          {terms_of(i), terms_of(i + apart), terms_of(i + 2 * apart), terms_of(i + 3 * apart)}, 0,
          count, sums);
      for (std::size_t r = 0; r < openmp_rows_at_once; ++r)
        store(i + r * apart, sums[r]);
    }
    for (std::size_t i = openmp_rows_at_once * apart; i < rows; ++i) {
      T sums[1];
      openmp_sums<lanes>({terms_of(i)}, 0, count, sums);
      store(i, sums[0]);
    }
  });
}

/// How a twin cuts long rows where there are fewer of them than the largest machine has threads: a
/// function of the shape alone, so that the bits do not depend on the number of threads.
struct OpenmpPieces {
  std::size_t rows, row_length;
  std::size_t count = 1;           ///< pieces of a row
  std::size_t length = row_length; ///< of a piece, whole cache lines; the last may be shorter

  OpenmpPieces(std::size_t rows_, std::size_t row_length_, std::size_t element_bytes)
      : rows(rows_), row_length(row_length_) {
    constexpr std::size_t many = 512, least_bytes = 64 * 1024;
    while (rows * count < many && row_length * element_bytes / count >= 2 * least_bytes)
      count *= 2;
    if (count > 1) length = round_up(ceil_div(row_length, count), 64);
  }
  bool cut() const { return count > 1; }
  /// Where a piece begins in its row, and ends the one before it.
  std::size_t begin_of(std::size_t piece) const { return std::min(piece * length, row_length); }
  /// Numbers that the pieces leave to each other.
  std::size_t sums() const { return cut() ? rows * count : 0; }
  /// Additions on the longest path: a piece, then the pieces one after the other.
  double steps(Type type) const { return openmp_sum_steps(length, type) + double(count - 1); }
};

/// partial[row * count + piece] = sum over each piece of terms_of(row). Neighbouring tasks are the
/// same piece of all rows: what these share is still in the cache.
template <class T, class TermsOf>
void openmp_sum_pieces(const OpenmpPieces& pieces, T* partial, int threads,
                       const TermsOf& terms_of) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t task = 0; task < pieces.rows * pieces.count; ++task) {
    const std::size_t row = task % pieces.rows, piece = task / pieces.rows;
    const std::size_t first = pieces.begin_of(piece), length = pieces.begin_of(piece + 1) - first;
    partial[row * pieces.count + piece] = openmp_sum<T>(length, terms_of(row).from(first));
  }
}

/// Sum of the pieces of one row.
template <class T>
T openmp_row(const OpenmpPieces& pieces, const T* partial, std::size_t row) {
  T sum = partial[row * pieces.count];
  for (std::size_t piece = 1; piece < pieces.count; ++piece)
    sum += partial[row * pieces.count + piece];
  return sum;
}

} // namespace ado::bench
