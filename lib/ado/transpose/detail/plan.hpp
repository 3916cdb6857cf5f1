// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a transpose works on, and how its shape decides tiles: plain C++, for Kokkos and CUDA alike.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ado::detail {

/// The matrix pair of a transpose: b[j * ldb + i] = a[i * lda + j].
template <class E>
struct Matrices {
  std::size_t rows, columns; ///< of a
  const E* a;
  std::size_t lda;
  E* b;
  std::size_t ldb;
};

/// Whether a GPU transposes element by element: by hand through tiles of 512 elements, with Kokkos
/// without tiles. Large tiles would be too few to fill it (docs/lab/constants.md#transpose).
template <class E>
bool is_small(const Matrices<E>& m) {
  return m.rows * m.columns <= std::size_t{1} << 17;
}

/// Whether Kokkos' teams take tiles of 32 x 32 f64, not of 64 x 64: four times as many share out
/// better, but each takes time to start (docs/lab/constants.md#transpose).
template <class E>
bool takes_tiles_of_32(const Matrices<E>& m) {
  return m.rows * m.columns < std::size_t{1} << 24;
}

/// A tile of one shape for 4-byte elements whose rows start anywhere: 64 x 16 or 128 x 32; none for
/// thinner matrices. A shape that the compiler knows is faster, but not with 8 bytes
/// (docs/lab/constants.md#transpose).
enum class FixedTile { none, small, large };
template <class E>
FixedTile fixed_tile(const Matrices<E>& m) {
  if (m.rows < 128 || m.columns < 64) return FixedTile::none;
  return m.rows * m.columns < std::size_t{1} << 25 ? FixedTile::small : FixedTile::large;
}

/// The tile of large matrices whose rows start on 16-byte boundaries: pieces of 256 bytes of rows
/// of b, and of twice as much of rows of a (i16: 256 bytes of both).
template <class E>
struct LargeTile {
  static_assert(sizeof(E) < 16);
  static constexpr int rows = sizeof(E) < 4 ? 128 : 256 / sizeof(E); ///< of a
  static constexpr int columns = sizeof(E) == 2 ? 128 : 2 * rows;
  static constexpr int threads = 512, resident_blocks = 2;
};
/// Smaller ones gain nothing.
template <class E>
bool takes_large_tiles(const Matrices<E>& m) {
  constexpr std::size_t least_bytes = std::size_t{1} << (sizeof(E) == 8 ? 30 : 29);
  return sizeof(E) < 16 && m.rows * m.columns * sizeof(E) >= least_bytes;
}

/// Where tiles begin. The first row and the first column of tiles are shorter by this many
/// elements, so that the others start on 256-byte boundaries on both sides. A Kokkos View starts
/// 128 bytes behind such a boundary (docs/lab/constants.md#transpose).
struct TileShift {
  unsigned i = 0, j = 0; ///< of rows and columns of a

  /// For tiles of these rows and columns of a. If tiles are few they are not shifted: more of them
  /// would be cut.
  template <class E>
  static TileShift of(const Matrices<E>& m, std::size_t tile_rows, std::size_t tile_columns) {
    if (m.rows < 64 * tile_rows || m.columns < 64 * tile_columns) return {};
    return {elements_behind_boundary(m.b, m.ldb, tile_rows),
            elements_behind_boundary(m.a, m.lda, tile_columns)};
  }

private:
  template <class E>
  static unsigned elements_behind_boundary(const E* data, std::size_t ld, std::size_t side) {
    const std::size_t boundary = side * sizeof(E) < 256 ? side * sizeof(E) : 256;
    if (ld * sizeof(E) % boundary != 0) return 0; // rows differ: no shift suits all of them
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(data) % boundary / sizeof(E));
  }
};

/// Whether to use `tiles` tiles of these rows and columns with 16-byte accesses, where rows start
/// on 16-byte boundaries: most tiles must lie wholly in the matrix. A cut tile moves element by
/// element, which only a large matrix hides; so in a smaller one no tile may be cut
/// (docs/lab/constants.md#transpose).
template <class E>
bool takes_wide_tiles(const Matrices<E>& m, std::size_t tiles, std::size_t tile_rows,
                      std::size_t tile_columns) {
  const std::size_t whole = (m.rows / tile_rows) * (m.columns / tile_columns);
  constexpr std::size_t hides_cut_tiles = std::size_t{1} << 24;
  if (sizeof(E) < 16 && m.rows * m.columns < hides_cut_tiles) return whole == tiles;
  return 2 * whole >= tiles;
}

} // namespace ado::detail
