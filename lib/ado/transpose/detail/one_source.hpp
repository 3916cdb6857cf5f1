// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of `one_source`. Its card: kokkos/one_source.cpp.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/elements.hpp>
#include <ado/portable/packs.hpp>
#include <ado/transpose/detail/plan.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ado::detail {

/// n, high: columns and rows of a block, which is turned at once. past_cache: rows of b are stored in whole lines past the cache.
/// Where b stays in a cache that threads need not share, blocks go there at once.
template <class Exec, class E, int n, int high, bool past_cache, class C = one::Constants<Exec>>
struct TransposeOneSource {
  using P = one::Pack<E, high>;
  using Member = typename Teams<Exec, 2, C::team_threads>::member_type;
  static constexpr std::size_t tall = C::tile_rows(sizeof(E)), wide = C::tile_columns(sizeof(E));
  /// Elements of b that are stored together.
  static constexpr std::size_t line = C::packs_begin_anywhere ? C::line_bytes / sizeof(E) : high;
  using Line = one::Pack<E, static_cast<int>(line)>;
  /// Of the tile. Rows of single elements are one longer, so that lanes meet different banks.
  static constexpr std::size_t row_length = tall + (C::packs_begin_anywhere ? line : high == 1);
  static constexpr int lanes = std::min<int>(C::vector_lanes, wide / n);
  /// Blocks that a lane asks for before it keeps the first.
  static constexpr int in_flight = C::blocks_in_flight(n);
  static constexpr bool direct = C::writes_blocks && high > 1 && !past_cache;
  static constexpr std::size_t scratch_bytes = direct ? 0 : wide * row_length * sizeof(E);

  Matrices<E> m;
  std::size_t down, columns; ///< teams below each other, and columns of a that each has
  /// Rows of a that a tile has besides its own: those of lines of b that begin there.
  std::size_t above;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t strip = team.league_rank() / down, row = team.league_rank() - strip * down;
    if constexpr (direct) { // parts of even size, so that each has whole blocks
      const std::size_t i0 = m.rows * row / down, i1 = m.rows * (row + 1) / down;
      const std::size_t strips = team.league_size() / down;
      const std::size_t end = m.columns * (strip + 1) / strips;
      for (std::size_t j0 = m.columns * strip / strips; j0 < end; j0 += wide) {
        const std::size_t j1 = Kokkos::min(j0 + wide, end), left = Kokkos::min(j0, end - n);
        move_blocks(team, m.a + i0 * m.lda + left, i1 - i0, j1 - left, m.b + left * m.ldb + i0);
      }
      return;
    }
    auto* const tile = static_cast<E*>(aligned_scratch(team, scratch_bytes));
    const std::size_t i0 = row * tall, i1 = Kokkos::min(i0 + tall, m.rows);
    // Blocks are whole, so the last tile of few rows or columns holds some before it, too.
    const std::size_t top = Kokkos::min(i0 - Kokkos::min(i0, above), m.rows - high);
    const std::size_t end = Kokkos::min((strip + 1) * columns, m.columns);
    for (std::size_t j0 = strip * columns; j0 < end; j0 += wide) {
      const std::size_t j1 = Kokkos::min(j0 + wide, end), left = Kokkos::min(j0, m.columns - n);
      move_blocks(team, m.a + top * m.lda + left, i1 - top, j1 - left, tile);
      team.team_barrier();
      write(team, tile, top, left, i0, i1, j0, j1);
      team.team_barrier();
    }
    if (past_cache) one::store_fence();
  }

private:
  /// Where the tile has element i of row j of b; i is that of the first element of a pack. Direct: the same in b.
  KOKKOS_FUNCTION std::size_t place(std::size_t j, std::size_t i) const {
    if (direct) return j * m.ldb + i;
    if (!C::swizzles || high == 1) return j * row_length + i;
    return j * row_length + ((i / high) ^ (j / high)) * high; // wide is no more than tall
  }
  /// The tile, or b, gets the columns of `height` rows of a.
  KOKKOS_FUNCTION void move_blocks(const Member& team, const E* a, std::size_t height,
                                   std::size_t width, E* tile) const {
    const std::size_t blocks = (height + high - 1) / high,
                      apart = (blocks + in_flight - 1) / in_flight;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, apart), [&](std::size_t y) {
      Kokkos::parallel_for(
          Kokkos::ThreadVectorRange(team, (width + n - 1) / n), [&](std::size_t x) {
            const std::size_t j = Kokkos::min(x * n, width - n);
            P rows[in_flight][n];
            ADO_REGISTERS
            for (int u = 0; u < in_flight; ++u)
              if (in_flight == 1 || y + u * apart < blocks)
                one::load_block(a + block_row(y + u * apart, height) * m.lda + j, m.lda, rows[u]);
            ADO_REGISTERS
            for (int u = 0; u < in_flight; ++u)
              if (in_flight == 1 || y + u * apart < blocks)
                keep_block(tile, j, block_row(y + u * apart, height), rows[u]);
          });
    });
  }
  /// The first row of a block: the last one ends with the tile.
  KOKKOS_FUNCTION static std::size_t block_row(std::size_t block, std::size_t height) {
    return Kokkos::min(block * high, height - high);
  }
  KOKKOS_FORCEINLINE_FUNCTION void keep_block(E* tile, std::size_t j, std::size_t i,
                                              P (&rows)[n]) const {
    one::turn<n>(rows);
    ADO_REGISTERS
    for (int r = 0; r < n; ++r)
      one::store(tile + place(j + r, i), rows[r]);
  }

  /// Where a line of row j of b begins, at or before element i.
  KOKKOS_FUNCTION static std::size_t line_of(const E* row, std::size_t i) {
    return i - reinterpret_cast<std::uintptr_t>(row + i) / sizeof(E) % line;
  }
  /// Rows j0 to j1 of b get what the tile has, which begins with row `top` of a and row `left` of b. Meanwhile the part of
  /// a that comes next is asked for, a line of it for each line that is stored: so many rows for each row of b.
  KOKKOS_FUNCTION void write(const Member& team, const E* tile, std::size_t top, std::size_t left,
                             std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1) const {
    // The team that comes next has the same columns, further down.
    const std::size_t next = j0 + wide;
    const bool below = next / columns != j0 / columns;
    const std::size_t i_next = below ? i1 : i0, j_next = below ? next - columns : next;
    const E* const ahead = m.a + i_next * m.lda + j_next;
    const bool asks = C::most_tiles > 1 && i_next + tall <= m.rows && j_next + wide <= m.columns;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, j1 - j0), [&](std::size_t j) {
      for (std::size_t i = 0; asks && i < tall / wide; ++i)
        prefetch_row(ahead + (j * (tall / wide) + i) * m.lda);
      E* const to = m.b + (j0 + j) * m.ldb;
      std::size_t begin = i0, end = i1, first = i0;
      if (past_cache) { // whole lines, but where the row begins and ends
        if (begin > 0) begin = line_of(to, i0);
        if (end < m.rows) end = line_of(to, i1);
        first = Kokkos::min(end, begin > 0 ? begin : line_of(to, begin + line - 1));
      }
      const std::size_t lines = (end - first) / line, behind = first + lines * line;
      const auto at = [&](std::size_t i) { return tile + place(j0 + j - left, i - top); };
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, lines), [&](std::size_t k) {
        const Line of_b = one::load<Line>(at(first + k * line));
        if (past_cache)
          one::store_past_cache(to + first + k * line, of_b);
        else
          one::store(to + first + k * line, of_b);
      });
      if (first - begin + end - behind == 0) return;
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, first - begin),
                           [&](std::size_t k) { to[begin + k] = *at(begin + k); });
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, end - behind),
                           [&](std::size_t k) { to[behind + k] = *at(behind + k); });
    });
  }
  /// Of each line the last element, for the line before may hold the first.
  KOKKOS_FORCEINLINE_FUNCTION static void prefetch_row(const E* from) {
    ADO_REGISTERS
    for (std::size_t k = line; k <= wide; k += line)
      one::prefetch(from + k - 1);
  }
};

/// Launches the kernel; asynchronous on `exec`.
template <class Exec, class E>
void transpose_one_source(const Exec& exec, const Matrices<E>& m) {
  using C = one::Constants<Exec>;
  constexpr int most = 16 / sizeof(E);
  if (m.rows == 0 || m.columns == 0) return;
  const auto launch = [&](auto n, auto high, auto past_cache) {
    using Kernel = TransposeOneSource<Exec, E, n, high, past_cache>;
    const std::size_t down = ceil_div(m.rows, Kernel::tall),
                      tiles = ceil_div(m.columns, Kernel::wide);
    constexpr std::size_t enough = 64; // teams
    const std::size_t in_turn =
        std::clamp<std::size_t>(down * tiles / enough, 1, std::size_t{C::most_tiles});
    const bool on_lines =
        (reinterpret_cast<std::uintptr_t>(m.b) | m.ldb * sizeof(E)) % C::line_bytes == 0;
    const std::size_t above = past_cache && !on_lines ? Kernel::line : 0;
    const std::size_t columns = in_turn * Kernel::wide, strips = ceil_div(m.columns, columns);
    Teams<Exec, 2, C::team_threads> policy(exec, league_size(down * strips),
                                           C::team_threads / Kernel::lanes, Kernel::lanes);
    set_scratch(policy, 0, Kernel::scratch_bytes + 16);
    Kokkos::parallel_for("ado::transpose[one_source]", policy, Kernel{m, down, columns, above});
  };
  const auto on_boundaries = [](const E* data, std::size_t ld, std::size_t length) {
    return (reinterpret_cast<std::uintptr_t>(data) | (ld | length) * sizeof(E)) % 16 == 0;
  };
  constexpr int most_rows = C::rows_of_block(most);
  const bool whole = C::packs_begin_anywhere ? m.rows >= most_rows && m.columns >= most
                                             : on_boundaries(m.a, m.lda, m.columns) &&
                                                   on_boundaries(m.b, m.ldb, m.rows);
  const std::integral_constant<int, 1> single;
  const std::integral_constant<int, most> n;
  const std::integral_constant<int, most_rows> high;
  if (!whole) return launch(single, single, std::false_type());
  constexpr std::size_t large = std::size_t{8} << 20, long_row = 256; // bytes
  if constexpr (C::line_bytes == 64)
    if (m.rows * m.columns * sizeof(E) >= large && m.rows * sizeof(E) >= long_row)
      return launch(n, high, std::true_type());
  launch(n, high, std::false_type());
}

} // namespace ado::detail
