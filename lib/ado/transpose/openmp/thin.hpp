// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A matrix that is too thin for blocks, by hand for CPUs.
#pragma once

#include <ado/transpose/detail/plan.hpp>
#include <ado/transpose/openmp/block.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace ado::bench::by_hand {

using detail::Matrices;

/// Rows of n elements without gaps between them become n rows, and the other way round. gcc makes
/// shuffles of a loop over a constant n, up to four or eight.
template <std::size_t n, class E>
void unzip(const E* __restrict__ a, std::size_t rows, E* __restrict__ b, std::size_t ldb) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < n; ++j)
      b[j * ldb + i] = a[i * n + j];
}
template <std::size_t n, class E>
void zip(const E* __restrict__ a, std::size_t lda, std::size_t columns, E* __restrict__ b) {
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = 0; i < n; ++i)
      b[j * n + i] = a[i * lda + j];
}

/// A part of columns narrower than a block, without gaps between rows of a. A block reads past its
/// rows into the next ones; only its first columns are kept.
template <class E>
void turn_narrow(const Matrices<E>& m, std::size_t i, std::size_t end, std::size_t j,
                 std::size_t right) {
  constexpr std::size_t tall = plan::block_rows<E>, wide = plan::block_columns<E>;
  const std::size_t n = m.columns, all = m.rows * n;
  switch (right - j == n ? n : 0) {
  case 1:
    return unzip<1>(m.a + i, end - i, m.b + i, m.ldb);
  case 2:
    return unzip<2>(m.a + i * 2, end - i, m.b + i, m.ldb);
  case 3:
    return unzip<3>(m.a + i * 3, end - i, m.b + i, m.ldb);
  case 4:
    return unzip<4>(m.a + i * 4, end - i, m.b + i, m.ldb);
  }
  alignas(64) E columns[wide * tall];
  for (; i + tall <= end && (i + tall - 1) * n + wide <= all; i += tall) {
    turn_block(m.a + i * n, n, columns, tall);
    for (std::size_t c = j; c < right; ++c)
      std::memcpy(m.b + c * m.ldb + i, columns + c * tall, tall * sizeof(E));
  }
  for (; i < end; ++i)
    for (std::size_t c = j; c < right; ++c)
      m.b[c * m.ldb + i] = m.a[i * n + c];
}

/// Columns of fewer rows than a block has, without gaps between rows of b. A block's row of b is
/// stored whole; the next one overwrites the excess.
template <class E>
void turn_flat(const Matrices<E>& m, std::size_t j, std::size_t right) {
  constexpr std::size_t tall = plan::block_rows<E>, wide = plan::block_columns<E>;
  const std::size_t n = m.rows, width = right - j;
  const E* const a = m.a + j;
  E* const b = m.b + j * n;
  switch (n) {
  case 1:
    return zip<1>(a, m.lda, width, b);
  case 2:
    return zip<2>(a, m.lda, width, b);
  case 3:
    return zip<3>(a, m.lda, width, b);
  case 4:
    return zip<4>(a, m.lda, width, b);
  case 5:
    return zip<5>(a, m.lda, width, b);
  case 6:
    return zip<6>(a, m.lda, width, b);
  case 7:
    return zip<7>(a, m.lda, width, b);
  case 8:
    return zip<8>(a, m.lda, width, b);
  }
  alignas(64) E rows[tall * wide] = {}, columns[wide * tall];
  std::size_t k = 0;
  for (; (k + wide - 1) * n + tall <= width * n; k += wide) {
    for (std::size_t i = 0; i < n; ++i)
      std::memcpy(rows + i * wide, a + i * m.lda + k, 16);
    turn_block(rows, wide, columns, tall);
    for (std::size_t c = 0; c < wide; ++c)
      std::memcpy(b + (k + c) * n, columns + c * tall, tall * sizeof(E));
  }
  for (; k < width; ++k)
    for (std::size_t i = 0; i < n; ++i)
      b[k * n + i] = a[i * m.lda + k];
}

/// A part of a thin matrix. With gaps between rows it goes element by element, some rows at a time:
/// their lines of a column stay in the first-level cache.
template <class E>
void turn_thin(const Matrices<E>& m, const plan::Part& part) {
  const std::size_t bottom = part.i + part.height, right = part.j + part.width;
  if (m.columns < plan::block_columns<E> && m.lda == m.columns)
    return turn_narrow(m, part.i, bottom, part.j, right);
  if (m.columns >= plan::block_columns<E> && part.height == m.rows && m.ldb == m.rows)
    return turn_flat(m, part.j, right);
  constexpr std::size_t some = 1024;
  for (std::size_t top = part.i; top < bottom; top += some)
    for (std::size_t j = part.j; j < right; ++j)
      for (std::size_t i = top; i < std::min(top + some, bottom); ++i)
        m.b[j * m.ldb + i] = m.a[i * m.lda + j];
}

} // namespace ado::bench::by_hand
