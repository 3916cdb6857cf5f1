// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transpose on a GPU. A team transposes one tile in scratch. Begin at the end: transpose() chooses
// one of four kernels.
//
// TransposeWide is for rows that start on 16-byte boundaries. A thread loads packs of 16 bytes, one
// below the other, transposes them in registers and stores the pieces in scratch. Then packs go
// from scratch to b. With one element per access, instructions would be the limit, not memory.
// Scratch is swizzled, not padded: padding would break the 16-byte accesses.
//
// TransposeDirect is for small matrices and needs no tile.
//
// TransposeFixed is for 4-byte numbers whose rows start anywhere, TransposeAny for all others. They
// move single elements through a padded tile, the first of one shape, the second as thin as the
// matrix.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/pack.hpp>
#include <ado/transpose/detail/device_direct.hpp>
#include <ado/transpose/detail/device_fixed.hpp>
#include <ado/transpose/detail/plan.hpp>
#include <ado/transpose/detail/team_tile.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace ado::detail::device_tile {

/// `n` elements one below the other.
template <class E, int n>
struct Column {
  E element[n];
};

/// The tile of other matrices.
template <int side>
struct SquareTile {
  static constexpr int rows = side, columns = side, threads = device_team_threads;
  /// More teams have fewer registers, and are slower (docs/lab/constants.md#transpose).
  static constexpr int resident_blocks = 4;
};

/// Shape: a LargeTile or SquareTile. `cut`: whether a tile may lie only partly in a. Without cut
/// tiles the kernel is half as long, and its first loads come sooner: the compiler computes what
/// does not depend on the tile ahead of Kokkos' loop over teams, for both kinds of tile.
template <class Exec, class E, class Shape, bool cut>
struct TransposeWide {
  static constexpr int threads = Shape::threads, rows = Shape::rows, columns = Shape::columns;
  using Member = typename Teams<Exec, 0, threads>::member_type;
  static constexpr unsigned width = 16 / sizeof(E);    ///< elements of a pack
  static constexpr unsigned a_packs = columns / width; ///< in a row of a
  static constexpr unsigned b_packs = rows / width;    ///< in a row of b
  static constexpr unsigned height =
      width < 4 ? width : 4;                             ///< packs of a thread, one below the other
  static constexpr int blocks = rows / height * a_packs; ///< of width x height in the tile
  static constexpr std::size_t scratch_bytes = std::size_t{rows} * columns * sizeof(E);
  using Piece = Words<sizeof(E) * height>;

  Matrices<E> m;
  TileShift shift;

  /// Place of element (i, j) in scratch, where rows lie as in b. The packs of a row are permuted,
  /// so that lanes which write the same words of neighbouring blocks meet different banks, as do
  /// lanes which read along a row.
  static KOKKOS_FUNCTION unsigned place(unsigned i, unsigned j) {
    return (j * b_packs + ((i / width) ^ (j / width % b_packs))) * width + i % width;
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const Tile<E> at(m, team.league_rank(), rows, columns, cut ? shift : TileShift());
    const E* from = m.a + at.i * m.lda + at.j;
    E* to = m.b + at.j * m.ldb + at.i;
    if (cut && (at.height < rows || at.width < columns))
      edge(team, at.height, at.width, from, to);
    else
      whole(team, from, to);
  }

  static KOKKOS_FUNCTION E* scratch_of(const Member& team) {
    return static_cast<E*>(aligned_scratch(team, scratch_bytes));
  }

  // Every trip count below is a constant: the loops unroll, their loads are in flight together.
  KOKKOS_FUNCTION void whole(const Member& team, const E* from, E* to) const {
    // Kokkos takes some time to find the scratch; loads in flight hide that time. If a thread has
    // several blocks, their loads would need more registers than there are.
    constexpr bool late = blocks == threads;
    E* tile = late ? nullptr : scratch_of(team);
    ADO_UNROLL
    for (int k = 0; k < blocks / threads; ++k) {
      const unsigned block = k * threads + unsigned(team.team_rank());
      const unsigned i = block / a_packs * height, j = block % a_packs * width;
      Pack<E> in[height];
      ADO_UNROLL
      for (unsigned r = 0; r < height; ++r) {
        const auto words = *reinterpret_cast<const Words<16>*>(from + (i + r) * m.lda + j);
        in[r] = Kokkos::bit_cast<Pack<E>>(words);
      }
      if constexpr (late) tile = scratch_of(team);
      ADO_UNROLL
      for (unsigned c = 0; c < width; ++c) {
        Column<E, height> out;
        ADO_UNROLL
        for (unsigned r = 0; r < height; ++r)
          out.element[r] = in[r].lane[c];
        *reinterpret_cast<Piece*>(tile + place(i, j + c)) = Kokkos::bit_cast<Piece>(out);
      }
    }
    team.team_barrier();
    ADO_UNROLL
    for (int k = 0; k < int(columns * b_packs) / threads; ++k) {
      const unsigned pack = k * threads + unsigned(team.team_rank());
      const unsigned j = pack / b_packs, i = pack % b_packs * width;
      *reinterpret_cast<Words<16>*>(to + j * m.ldb + i) =
          *reinterpret_cast<const Words<16>*>(tile + place(i, j));
    }
  }

  /// A tile of which only tall x wide elements lie in a: one by one, still coalesced.
  KOKKOS_FUNCTION void edge(const Member& team, unsigned tall, unsigned wide, const E* from,
                            E* to) const {
    E* const tile = scratch_of(team);
    ADO_UNROLL_BY(8)
    for (int k = 0; k < rows * columns / threads; ++k) {
      const unsigned e = k * threads + unsigned(team.team_rank()), i = e / columns, j = e % columns;
      if (i < tall && j < wide) tile[place(i, j)] = from[i * m.lda + j];
    }
    team.team_barrier();
    ADO_UNROLL_BY(8)
    for (int k = 0; k < rows * columns / threads; ++k) {
      const unsigned e = k * threads + unsigned(team.team_rank()), j = e / rows, i = e % rows;
      if (i < tall && j < wide) to[j * m.ldb + i] = tile[place(i, j)];
    }
  }
};

/// A tile has 2^bits elements.
template <class Exec, class E, int bits>
struct TransposeAny {
  using Member = typename Teams<Exec>::member_type;
  static constexpr int threads = team_threads<Exec>;
  static constexpr int each = (1 << bits) / threads;

  Matrices<E> m;
  int row_bits;   ///< the tile has 2^row_bits rows of a
  unsigned pitch; ///< elements between columns of the tile: an odd number of 4-byte banks

  /// Smallest exponent, at most `most`, of a power of two that is not below n.
  static int bits_for(std::size_t n, int most) {
    int result = 0;
    while (result < most && (std::size_t{1} << result) < n)
      ++result;
    return result;
  }
  /// A square tile; if one side of the matrix is shorter, the other side of the tile is
  /// correspondingly longer.
  static TransposeAny for_matrices(const Matrices<E>& m) {
    const int column_bits = bits_for(m.columns, bits - bits_for(m.rows, (bits + 1) / 2));
    const int row_bits = bits - column_bits;
    const unsigned padding = row_bits == 0 ? 0 : sizeof(E) < 4 ? 4 / sizeof(E) : 1;
    return {m, row_bits, (1u << row_bits) + padding};
  }
  unsigned tile_rows() const { return 1u << row_bits; }
  unsigned tile_columns() const { return 1u << (bits - row_bits); }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int column_bits = bits - row_bits;
    const unsigned rows = 1u << row_bits, columns = 1u << column_bits;
    const Tile<E> at(m, team.league_rank(), rows, columns);
    const auto first = static_cast<unsigned>(team.team_rank());
    E element[each]; // all loads in flight before the first store
    ADO_UNROLL
    for (int k = 0; k < each; ++k) {
      const unsigned e = first + k * threads, i = e >> column_bits, j = e & (columns - 1);
      if (i < at.height && j < at.width) element[k] = m.a[(at.i + i) * m.lda + at.j + j];
    }
    // Kokkos takes some twenty dependent instructions to find the scratch: the loads in flight hide
    // that.
    auto* const tile = static_cast<E*>(
        team.team_scratch(0).get_shmem_aligned((pitch << column_bits) * sizeof(E), 16));
    ADO_UNROLL
    for (int k = 0; k < each; ++k) {
      const unsigned e = first + k * threads, i = e >> column_bits, j = e & (columns - 1);
      if (i < at.height && j < at.width) tile[j * pitch + i] = element[k];
    }
    team.team_barrier();
    ADO_UNROLL
    for (int k = 0; k < each; ++k) {
      const unsigned e = first + k * threads, j = e >> row_bits, i = e & (rows - 1);
      if (i < at.height && j < at.width) m.b[(at.j + j) * m.ldb + at.i + i] = tile[j * pitch + i];
    }
  }
};

template <int resident_teams, class Exec, class Kernel>
void launch(const Exec& exec, const Kernel& kernel, std::size_t tiles, std::size_t scratch_bytes) {
  Teams<Exec, resident_teams, Kernel::threads> policy(exec, league_size(tiles), Kernel::threads, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch_bytes)));
  Kokkos::parallel_for("ado::transpose[tuned]", policy, kernel);
}

/// Launches TransposeAny with tiles of 2^bits elements; asynchronous on `exec`.
template <int bits, class Exec, class E>
void launch_any(const Exec& exec, const Matrices<E>& m) {
  const auto any = TransposeAny<Exec, E, bits>::for_matrices(m);
  // With 6 teams each thread has 40 registers; left alone the compiler takes up to 128.
  launch<6>(exec, any, ceil_div(m.rows, any.tile_rows()) * ceil_div(m.columns, any.tile_columns()),
            std::size_t{any.pitch} * any.tile_columns() * sizeof(E) + 16);
}

/// Launches TransposeFixed; asynchronous on `exec`.
template <int rows, int columns, int resident_teams, class Exec, class E>
void launch_fixed(const Exec& exec, const Matrices<E>& m) {
  using Fixed = TransposeFixed<Exec, E, rows, columns, 2048 / resident_teams>;
  launch<resident_teams>(exec, Fixed{m},
                         ceil_div(m.rows, std::size_t{rows}) *
                             ceil_div(m.columns, std::size_t{columns}),
                         Fixed::scratch_bytes + 16);
}

/// Launches TransposeWide if enough tiles lie wholly in the matrix; asynchronous on `exec`. Returns
/// whether it did.
template <class Shape, class Exec, class E>
bool launch_wide(const Exec& exec, const Matrices<E>& m) {
  constexpr std::size_t rows = Shape::rows, columns = Shape::columns;
  const TileShift shift = TileShift::of(m, rows, columns);
  const std::size_t tiles =
      ceil_div(m.rows + shift.i, rows) * ceil_div(m.columns + shift.j, columns);
  if (!takes_wide_tiles(m, tiles, rows, columns)) return false;
  const auto start = [&](auto cut) {
    using Wide = TransposeWide<Exec, E, Shape, cut>;
    launch<Shape::resident_blocks>(exec, Wide{m, shift}, tiles, Wide::scratch_bytes + 16);
  };
  tiles == (m.rows / rows) * (m.columns / columns) ? start(std::false_type())
                                                   : start(std::true_type());
  return true;
}

/// The same with tiles of the shape that fits. Rows start on 16-byte boundaries.
template <class Exec, class E>
bool launch_wide(const Exec& exec, const Matrices<E>& m) {
  // Large tiles are a little slower for wider elements (docs/lab/constants.md#transpose).
  if constexpr (sizeof(E) == 1)
    if (takes_large_tiles(m) && launch_wide<LargeTile<E>>(exec, m)) return true;
  if constexpr (sizeof(E) == 8)
    if (takes_tiles_of_32(m)) return launch_wide<SquareTile<32>>(exec, m);
  return launch_wide<SquareTile<sizeof(E) < 4 ? 128 : sizeof(E) == 16 ? 32 : 64>>(exec, m);
}

/// Launches the kernel that fits the matrices; asynchronous on `exec`.
template <class Exec, class E>
void transpose(const Exec& exec, const Matrices<E>& m) {
  if constexpr (sizeof(E) == 16 && alignof(E) < 16)
    if (aligned_to_pack(m.a) && aligned_to_pack(m.b)) { // an access each then
      using Word = Words<16>;
      return transpose(exec, Matrices<Word>{m.rows, m.columns, reinterpret_cast<const Word*>(m.a),
                                            m.lda, reinterpret_cast<Word*>(m.b), m.ldb});
    }
  if (is_small(m)) return launch_direct(exec, m);
  if constexpr (alignof(E) == sizeof(E)) {
    const bool packs = aligned_to_pack(m.a) && aligned_to_pack(m.b) &&
                       m.lda * sizeof(E) % 16 == 0 && m.ldb * sizeof(E) % 16 == 0;
    if (packs && launch_wide(exec, m)) return;
  }
  if constexpr (sizeof(E) == 4) {
    const FixedTile fits = fixed_tile(m);
    if (fits == FixedTile::small) return launch_fixed<64, 16, 8>(exec, m);
    if (fits == FixedTile::large) return launch_fixed<128, 32, 4>(exec, m);
  }
  launch_any<sizeof(E) == 1 ? 12 : sizeof(E) == 16 ? 10 : 11>(exec, m);
}

} // namespace ado::detail::device_tile
