// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transpose on a CPU of a matrix that is too thin for blocks.
#pragma once

#include <ado/transpose/detail/host_block.hpp>
#include <ado/transpose/detail/plan.hpp>
#include <ado/transpose/detail/plan_host.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

namespace ado::detail::host_tile {

/// b[j * n + i] = a[i * lda + j] and b[j * ldb + i] = a[i * n + j], for n rows or columns. gcc
/// makes shuffles only where it knows n (docs/lab/constants.md#transpose).
template <std::size_t n, class E>
void interleave(const E* __restrict__ a, std::size_t lda, E* __restrict__ b, std::size_t columns) {
  for (std::size_t j = 0; j < columns; ++j)
    for (std::size_t i = 0; i < n; ++i)
      b[j * n + i] = a[i * lda + j];
}
template <std::size_t n, class E>
void separate(const E* __restrict__ a, E* __restrict__ b, std::size_t ldb, std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < n; ++j)
      b[j * ldb + i] = a[i * n + j];
}

/// Calls `f` with n as a constant if that is at most `most`; whether it does.
template <std::size_t most, class F>
bool with_few(std::size_t n, F&& f) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    return ((n == k + 1 && (f.template operator()<k + 1>(), true)) || ...);
  }
  (std::make_index_sequence<most>{});
}

/// Transposes some rows that follow each other, each shorter than a block. A block reads on into
/// the next rows, and drops that. Returns how many rows it has done.
template <class E>
std::size_t transpose_narrow(const Matrices<E>& m, const Part& part) {
  constexpr std::size_t tall = block_rows<E>, wide = block_columns<E>;
  alignas(64) E turned[wide][tall];
  std::size_t done = 0;
  for (; done + tall <= part.height; done += tall) {
    const std::size_t i = part.i + done;
    if ((i + tall - 1) * m.columns + wide > m.rows * m.columns) break;
    transpose_block(m.a + i * m.columns, m.columns, turned[0], tall);
    for (std::size_t j = part.j; j < part.j + part.width; ++j)
      std::memcpy(m.b + j * m.ldb + i, turned[j], sizeof turned[j]);
  }
  return done;
}

/// Transposes columns to rows of b that follow each other, each shorter than a block. A block
/// writes on into the next rows, which then overwrite that. Returns how many columns it has done.
template <class E>
std::size_t transpose_flat(const Matrices<E>& m, const Part& part) {
  constexpr std::size_t tall = block_rows<E>, wide = block_columns<E>;
  alignas(64) E rows[tall][wide] = {}, turned[wide][tall];
  std::size_t done = 0;
  for (; (done + wide - 1) * m.rows + tall <= part.width * m.rows; done += wide) {
    const std::size_t j = part.j + done;
    for (std::size_t i = 0; i < m.rows; ++i)
      std::memcpy(rows[i], m.a + i * m.lda + j, sizeof rows[i]);
    transpose_block(rows[0], wide, turned[0], tall);
    for (std::size_t c = 0; c < wide; ++c)
      std::memcpy(m.b + (j + c) * m.rows, turned[c], sizeof turned[c]);
  }
  return done;
}

/// Transposes a part of a thin matrix. gcc makes shuffles of up to four columns; five and more are
/// faster in blocks (docs/lab/constants.md#transpose). Ends, and rows with gaps between them, go
/// element by element.
template <class E>
void transpose_thin(const Matrices<E>& m, Part part) {
  if (m.columns < block_columns<E> && m.lda == m.columns) {
    if (part.width == m.columns && with_few<4>(m.columns, [&]<std::size_t n>() {
          separate<n>(m.a + part.i * n, m.b + part.i, m.ldb, part.height);
        }))
      return;
    const std::size_t done = m.rows < block_rows<E> ? 0 : transpose_narrow(m, part);
    part.i += done, part.height -= done;
  } else if (part.height == m.rows && m.ldb == m.rows && m.rows < block_rows<E> &&
             m.columns >= block_columns<E>) {
    if (with_few<8>(m.rows, [&]<std::size_t n>() {
          interleave<n>(m.a + part.j, m.lda, m.b + part.j * n, part.width);
        }))
      return;
    const std::size_t done = transpose_flat(m, part);
    part.j += done, part.width -= done;
  }
  constexpr std::size_t some = 1024; // rows of which a column's lines stay in the first-level cache
  for (std::size_t i = part.i, end; i < part.i + part.height; i = end) {
    end = std::min(i + some, part.i + part.height);
    for (std::size_t j = part.j; j < part.j + part.width; ++j)
      for (std::size_t k = i; k < end; ++k)
        m.b[j * m.ldb + k] = m.a[k * m.lda + j];
  }
}

} // namespace ado::detail::host_tile
