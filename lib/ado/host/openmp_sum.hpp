// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A long sum on one CPU thread, by hand: what the OpenMP twins add with.
#pragma once

#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/core/types.hpp>

#include <algorithm>
#include <cstddef>

namespace ado {

/// Bytes of partial sums side by side: they fill eight AVX2 registers and hide the adder's latency. The
/// end of a row, and a short one, has one register.
inline constexpr std::size_t openmp_sum_bytes = 256, openmp_end_bytes = 32;

/// Adds term(first) to term(last - 1) to `width` partial sums in turn, and those up.
template <std::size_t width, class T, class Term>
T openmp_part(std::size_t first, std::size_t last, const Term& term) {
  T sums[width] = {};
  for (; last - first >= width; first += width) {
#pragma omp simd
    for (std::size_t k = 0; k < width; ++k)
      sums[k] += term(first + k);
  }
  for (std::size_t k = first; k < last; ++k)
    sums[k - first] += term(k);
  for (std::size_t half = width / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k)
      sums[k] += sums[k + half];
  return sums[0];
}

/// Four sums at once, for a core reads four streams faster than one (portable/sum.hpp has figures):
/// sums[r] = sum of term(r, k) for k < count.
template <class T, class Term>
void openmp_four_sums(std::size_t count, T (&sums)[4], const Term& term) {
  constexpr std::size_t width = openmp_sum_bytes / sizeof(T) / 4;
  T side[4][width] = {};
  std::size_t first = 0;
  for (; count - first >= width; first += width)
    for (std::size_t r = 0; r < 4; ++r) {
#pragma omp simd
      for (std::size_t k = 0; k < width; ++k)
        side[r][k] += term(r, first + k);
    }
  for (std::size_t r = 0; r < 4; ++r) {
    for (std::size_t k = first; k < count; ++k)
      side[r][k - first] += term(r, k);
    for (std::size_t half = width / 2; half > 0; half /= 2)
      for (std::size_t k = 0; k < half; ++k)
        side[r][k] += side[r][k + half];
    sums[r] = side[r][0];
  }
}

/// From so many bytes on a row by itself is summed as four quarters.
inline constexpr std::size_t openmp_long_row = 16 * 1024;
/// Whether rows are summed four at a time, where there are four.
constexpr bool openmp_four_rows(std::size_t bytes) { return bytes >= openmp_sum_bytes; }

/// Sum of term(k) for k < count.
template <class T, class Term>
T openmp_sum(std::size_t count, const Term& term) {
  constexpr std::size_t width = openmp_sum_bytes / sizeof(T), end = openmp_end_bytes / sizeof(T);
  const std::size_t whole = count / width * width, quarter = whole / 4;
  T sum = 0;
  if (count * sizeof(T) >= openmp_long_row) {
    T sums[4];
    openmp_four_sums(quarter, sums,
                     [&](std::size_t r, std::size_t k) { return term(r * quarter + k); });
    sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  } else if (whole > 0) {
    sum = openmp_part<width, T>(0, whole, term);
  }
  if (whole < count) sum += openmp_part<end, T>(whole, count, term);
  return sum;
}

/// Additions on its longest path: those of a lane, then the tree over the lanes, of the larger part;
/// and that of both parts.
inline double openmp_sum_steps(std::size_t count, Type type) {
  const std::size_t width = openmp_sum_bytes / size_of(type),
                    end = openmp_end_bytes / size_of(type);
  const auto part = [](std::size_t terms, std::size_t lanes) {
    return terms == 0 ? 0 : double(ceil_div(terms, lanes)) + tree_depth(lanes);
  };
  const std::size_t left = count % width;
  const double both = count > width && left > 0 ? 1 : 0;
  const double most = count * size_of(type) >= openmp_long_row
                          ? part((count - left) / 4, width / 4) + 2
                          : part(count - left, width);
  return std::max(most, part(left, end)) + both;
}

/// store(i, sum of term_of(i)(k) for k < count) for the rows i in [begin, end), four at a time where that is
/// faster, but for the last `alone`.
template <class T, class TermOf, class Store>
void openmp_sum_rows(std::size_t begin, std::size_t end, std::size_t count, const TermOf& term_of,
                     const Store& store, std::size_t alone) {
  const std::size_t together = openmp_four_rows(count * sizeof(T)) ? end - begin - alone : 0;
  const std::size_t apart = together / 4;
  for (std::size_t i = begin; i < begin + apart; ++i) {
    const decltype(term_of(i)) terms[] = {term_of(i), term_of(i + apart), term_of(i + 2 * apart),
                                          term_of(i + 3 * apart)};
    T sums[4];
    openmp_four_sums(count, sums, [&](std::size_t r, std::size_t k) { return terms[r](k); });
    for (std::size_t r = 0; r < 4; ++r)
      store(i + r * apart, sums[r]);
  }
  for (std::size_t i = begin + 4 * apart; i < begin + together; ++i) { // other ranks have the rest
    T sums[4];
    openmp_four_sums(count, sums, [&](std::size_t, std::size_t k) { return term_of(i)(k); });
    store(i, sums[0]);
  }
  for (std::size_t i = begin + together; i < end; ++i)
    store(i, openmp_sum<T>(count, term_of(i)));
}
/// The same for rows that are no part of more.
template <class T, class TermOf, class Store>
void openmp_sum_rows(std::size_t begin, std::size_t end, std::size_t count, const TermOf& term_of,
                     const Store& store) {
  openmp_sum_rows<T>(begin, end, count, term_of, store, (end - begin) % 4);
}
/// Additions of a row's sum on its longest path, in blocks of so many rows.
inline double openmp_sum_rows_steps(std::size_t rows, std::size_t count, Type type) {
  if (rows < 4 || !openmp_four_rows(count * size_of(type))) return openmp_sum_steps(count, type);
  const std::size_t width = openmp_sum_bytes / size_of(type) / 4;
  return double(ceil_div(count, width)) + tree_depth(width);
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
  /// Numbers that the pieces leave to each other.
  std::size_t sums() const { return cut() ? rows * count : 0; }
  /// Additions on the longest path: a piece, then the pieces one after the other.
  double steps(Type type) const { return openmp_sum_steps(length, type) + double(count - 1); }
};

/// partial[row * count + piece] = sum of term(row, k) over the k of each piece of each row.
template <class T, class Term>
void openmp_sum_pieces(const OpenmpPieces& pieces, T* partial, int threads, const Term& term) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::size_t task = 0; task < pieces.rows * pieces.count; ++task) {
    const std::size_t row = task / pieces.count;
    const std::size_t first = std::min(task % pieces.count * pieces.length, pieces.row_length);
    const std::size_t length = std::min(pieces.length, pieces.row_length - first);
    partial[task] = openmp_sum<T>(length, [&](std::size_t k) { return term(row, first + k); });
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

} // namespace ado
