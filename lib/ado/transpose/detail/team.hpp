// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of `team`. Its card: kokkos/team.cpp.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/core/elements.hpp>
#include <ado/host/registers.hpp>
#include <ado/portable/packs.hpp>
#include <ado/transpose/detail/plan.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ado::detail {

/// n, high: columns and rows of a block, which turns at once. past_cache: rows of b are stored in
/// whole lines past the cache. Where b stays in a cache that threads need not share, blocks go
/// there at once. small: the tiles.
template <class Exec, class E, int n, int high, bool past_cache, bool small,
          class C = one::Constants<Exec>>
struct TransposeTeam {
  using P = one::Pack<E, high>;
  using Index = typename C::Index;
  using Member = typename Teams<Exec, 4, C::team_threads>::member_type;
  static constexpr Index tall = C::tile_rows(sizeof(E), small);
  static constexpr Index wide = C::tile_columns(sizeof(E), small);
  /// Elements of b that are stored together.
  static constexpr Index line = C::packs_begin_anywhere ? C::line_bytes / sizeof(E) : n;
  using Line = one::Pack<E, static_cast<int>(line)>;
  /// Of the tile. Rows of single elements are one longer, so that lanes meet different banks.
  static constexpr Index row_length = tall + (C::packs_begin_anywhere ? line : n == 1);
  static constexpr int lanes = std::min<int>(C::vector_lanes, wide / n);
  /// Blocks that a lane asks for before it keeps the first.
  static constexpr Index in_flight =
      std::clamp<Index>(tall * wide / (n * high * C::team_threads), 1, C::most_blocks);
  static constexpr bool direct = C::writes_blocks && high > 1 && !past_cache;
  static constexpr std::size_t scratch_bytes =
      direct ? 0 : std::size_t{wide} * row_length * sizeof(E);

  Matrices<E> m;
  std::size_t down, columns; ///< teams below each other, and columns of a that each has
  /// Rows of a that a tile has besides its own: those of lines of b that begin there.
  std::size_t above;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const Index strip = team.league_rank() / static_cast<int>(down);
    const Index row = team.league_rank() - strip * down;
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
    const std::size_t i0 = std::size_t{row} * tall, i1 = Kokkos::min(i0 + tall, m.rows);
    // Blocks are whole, so the last tile of few rows or columns holds some before it, too.
    const std::size_t top = Kokkos::min(i0 - Kokkos::min(i0, above), m.rows - high);
    const std::size_t end = Kokkos::min((strip + 1) * columns, m.columns);
    for (std::size_t j0 = strip * columns; j0 < end; j0 += wide) {
      const std::size_t j1 = Kokkos::min(j0 + wide, end), left = Kokkos::min(j0, m.columns - n);
      move_blocks(team, m.a + top * m.lda + left, i1 - top, j1 - left, tile);
      team.team_barrier();
      write(team, tile, top, left, i0, i1, j0, j1);
      if (C::most_tiles > 1) team.team_barrier();
    }
    if (past_cache) one::store_fence();
  }

private:
  /// Where the tile has element i of row j of b. Direct: the same in b.
  KOKKOS_FUNCTION auto place(Index j, Index i) const {
    if constexpr (direct)
      return j * m.ldb + i;
    else if constexpr (C::swizzles && n > 1)
      return j * row_length + ((i / line) ^ (j / line)) * line +
             i % line; // wide is no more than tall
    else
      return j * row_length + i;
  }
  /// The tile, or b, gets the columns of `height` rows of a.
  KOKKOS_FUNCTION void move_blocks(const Member& team, const E* a, Index height, Index width,
                                   E* tile) const {
    const Index blocks = (height + high - 1) / high, apart = (blocks + in_flight - 1) / in_flight;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, apart * lanes), [&](Index t) {
      const Index y = t / lanes;
      const auto move = [&](Index x) { // a function: GCC 12.2 keeps a loop's own arrays in memory
        const Index j = Kokkos::min(x * n, width - n), rows = height;
        const TransposeTeam own = *this; // and what is not its own it reads again after each store
        E* const to = tile;
        P column[in_flight][n];
        ADO_REGISTERS
        for (Index u = 0; u < in_flight; ++u)
          one::load_columns(a + block_row(y + u * apart, height) * m.lda + j, m.lda, column[u]);
        ADO_REGISTERS
        for (Index u = 0; u < in_flight; ++u)
          if (in_flight == 1 || y + u * apart < blocks) {
            ADO_REGISTERS
            for (Index r = 0; r < n; ++r)
              one::store(to + own.place(j + r, block_row(y + u * apart, rows)), column[u][r]);
          }
      };
      for (Index x = t % lanes; x < (width + n - 1) / n; x += lanes)
        move(x);
    });
  }
  /// The first row of a block: the last one ends with the tile.
  KOKKOS_FUNCTION static Index block_row(Index block, Index height) {
    return Kokkos::min(block * high, height - high);
  }

  /// Where the line begins that has element i of a row of b.
  KOKKOS_FUNCTION static Index line_of(const E* row, Index i) {
    return i - reinterpret_cast<std::uintptr_t>(row + i) / sizeof(E) % line;
  }
  /// Rows j0 to j1 of b get the tile, which begins with row `top` of a and row `left` of b.
  /// Meanwhile the next part of a is prefetched: an equal number of its rows for each row of b, and
  /// a line of it for each line that is stored.
  KOKKOS_FUNCTION void write(const Member& team, const E* tile, std::size_t top, std::size_t left,
                             std::size_t i0, std::size_t i1, std::size_t j0, std::size_t j1) const {
    // The team that comes next has the same columns, further down.
    const std::size_t next = j0 + wide;
    const bool below = C::most_tiles > 1 && next / columns != j0 / columns;
    const std::size_t i_next = below ? i1 : i0, j_next = below ? next - columns : next;
    const E* const ahead = m.a + i_next * m.lda + j_next;
    const bool asks = C::most_tiles > 1 && i_next + tall <= m.rows && j_next + wide <= m.columns;
    const Index of_tile = j0 - left;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, Index(j1 - j0) * lanes), [&](Index t) {
      const Index j = t / lanes, lane = t % lanes;
      for (Index i = 0; asks && i < tall / wide; ++i)
        prefetch_row(ahead + (j * (tall / wide) + i) * m.lda);
      E* const to = m.b + (j0 + j) * m.ldb + top; // its elements are numbered as the tile's
      Index begin = i0 - top, end = i1 - top, first = begin;
      if constexpr (past_cache) { // whole lines, but where the row begins and ends
        if (i0 > 0) begin = line_of(to, begin);
        if (i1 < m.rows) end = line_of(to, end);
        first = Kokkos::min(end, i0 > 0 ? begin : line_of(to, begin + line - 1));
      }
      const Index lines = (end - first) / line, behind = first + lines * line;
      const auto at = [&](Index i) { return tile + place(of_tile + j, i); };
      const auto store_line = [&](Index k) {
        const Line of_b = one::load<Line>(at(first + k * line));
        if constexpr (past_cache || !C::packs_begin_anywhere)
          one::store_past_cache(to + first + k * line, of_b);
        else
          one::store(to + first + k * line, of_b);
      };
      for (Index k = lane; k < lines; k += lanes)
        store_line(k);
      if constexpr (line > 1) {
        if (first - begin + end - behind == 0) return;
        for (Index i = begin + lane; i < first; i += lanes)
          to[i] = *at(i);
        for (Index i = behind + lane; i < end; i += lanes)
          to[i] = *at(i);
      }
    });
  }
  /// Of each line the last element, for the line before may hold the first.
  KOKKOS_FORCEINLINE_FUNCTION static void prefetch_row(const E* from) {
    ADO_REGISTERS
    for (Index k = line; k <= wide; k += line)
      one::prefetch(from + k - 1);
  }
};

/// Columns of the blocks: those of a pack of 16 bytes, or of the whole matrix where it has fewer.
/// On a GPU fewer, too, where rows of a or b begin or end between packs.
template <class C, class E>
std::size_t block_columns(const Matrices<E>& m) {
  if (C::packs_begin_anywhere) return std::min(m.rows, m.columns);
  const std::size_t bytes = reinterpret_cast<std::uintptr_t>(m.a) |
                            reinterpret_cast<std::uintptr_t>(m.b) |
                            (m.lda | m.ldb | m.rows | m.columns) * sizeof(E);
  return (bytes & -bytes) / sizeof(E); // the largest power of two that divides them all
}

/// Tiles of m that are not small.
template <class C, class E>
std::size_t tiles_of(const Matrices<E>& m) {
  return ceil_div(m.rows, std::size_t{C::tile_rows(sizeof(E), false)}) *
         ceil_div(m.columns, std::size_t{C::tile_columns(sizeof(E), false)});
}

/// Launches the kernel; asynchronous on `exec`.
template <class Exec, class E>
void transpose_team(const Exec& exec, const Matrices<E>& m) {
  using C = one::Constants<Exec>;
  constexpr int most = 16 / sizeof(E), most_rows = C::rows_of_block(most);
  if (m.rows == 0 || m.columns == 0) return;
  const auto launch_tiles = [&](auto n, auto high, auto past_cache, auto small) {
    using Kernel = TransposeTeam<Exec, E, n, high, past_cache, small>;
    const std::size_t down = ceil_div(m.rows, Kernel::tall),
                      tiles = ceil_div(m.columns, Kernel::wide);
    constexpr std::size_t enough = 64; // teams
    const std::size_t in_turn =
        std::clamp<std::size_t>(down * tiles / enough, 1, std::size_t{C::most_tiles});
    const bool on_lines =
        (reinterpret_cast<std::uintptr_t>(m.b) | m.ldb * sizeof(E)) % C::line_bytes == 0;
    const std::size_t above = past_cache && !on_lines ? Kernel::line : 0;
    const std::size_t columns = in_turn * Kernel::wide, strips = ceil_div(m.columns, columns);
    Teams<Exec, 4, C::team_threads> policy(exec, league_size(down * strips), C::team_threads);
    set_scratch(policy, 0, Kernel::scratch_bytes + 16);
    Kokkos::parallel_for("ado::transpose[team]", policy, Kernel{m, down, columns, above});
  };
  const auto launch = [&](auto n, auto high, auto past_cache) {
    if constexpr (C::enough_tiles > 0)
      if (tiles_of<C, E>(m) < C::enough_tiles)
        return launch_tiles(n, high, past_cache, std::true_type());
    launch_tiles(n, high, past_cache, std::false_type());
  };
  constexpr std::size_t large = std::size_t{8} << 20, long_row = 256; // bytes
  const bool past_cache = C::stores_past_cache && m.rows * m.columns * sizeof(E) >= large &&
                          m.rows * sizeof(E) >= long_row;
  with_lanes_filled_by<E, most>(block_columns<C>(m), [&](auto n) {
    const auto of_height = [&](auto high) {
      if constexpr (C::stores_past_cache)
        if (past_cache) return launch(n, high, std::true_type());
      launch(n, high, std::false_type());
    };
    if constexpr (n == most && most_rows > most)
      if (m.rows >= most_rows) return of_height(std::integral_constant<int, most_rows>());
    of_height(std::integral_constant<int, std::min<int>(n, most_rows)>());
  });
}

} // namespace ado::detail
