// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the product of average_mv works on, and how a GPU cuts y into tiles, and the sum over j into
// shares of a team's threads and splits between teams: a function of the shape alone. Kokkos and
// the hand-written twin share it; only their kernels are written twice.
#pragma once

#include <ado/core/checks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace ado::detail {

/// y(i, n) = sum over j of a(i, j) * mean(n, j).
template <class T>
struct Product {
  const T* a;
  std::size_t lda;
  const T* mean; ///< (sets, length), rows contiguous
  T* y;          ///< element (i, n) at i * y_row + n * y_column
  std::size_t y_row, y_column;
  std::size_t length, sets;
  // Of several ranks:
  std::size_t rows = length; ///< of a and y, where a rank has some of them
  std::size_t sets_of_all =
      sets; ///< where each has sets: tiles and the order of additions follow them
  double* split_sums = nullptr; ///< product_plan::split_bytes() of memory, for a GPU
};

} // namespace ado::detail

namespace ado::detail::product_plan {

/// Where a tile's elements are summed, and how its rows of a and mean come there.
enum class By {
  fma,        ///< by threads, from stages in scratch
  mma,        ///< by the tensor cores of warps, from stages in scratch
  from_memory ///< the same, but each warp reads its share of the sum from memory
};

/// A tile whose elements are in the registers of threads: `shares` times 8 x across threads, with
/// high x wide elements per thread. Each has its share of the columns of every stage. In a
/// warp, 8 threads lie one below the other. Rows of scratch are 16 bytes longer than the stage, so
/// that these threads' reads cause no bank conflict.
template <int across_, int high_, int wide_, int shares_, int stage_bytes_>
struct FmaTile {
  static constexpr By by = By::fma;
  static constexpr int down = 8, across = across_, high = high_, wide = wide_, shares = shares_;
  static constexpr int share_threads = down * across, threads = shares * share_threads;
  static constexpr int rows = down * high, columns = across * wide;
  static constexpr int stage_bytes = stage_bytes_, stage_count = 2;
  template <class T>
  static constexpr int padding = 16 / static_cast<int>(sizeof(T));
  template <class>
  static constexpr int boundary = 16;
  /// Bounds the registers: sums of 128 bytes per thread leave room for 512 threads.
  template <class T>
  static constexpr int resident_teams = (high * wide * sizeof(T) <= 128 ? 512 : 256) / threads;

  /// Multiply-adds of the first share, then one addition for each other one that has columns.
  template <class T>
  static double steps(std::size_t length) {
    constexpr std::size_t depth = stage_bytes / sizeof(T), each = depth / shares;
    const std::size_t rest = length % depth;
    const std::size_t of_first = length / depth * each + (rest < each ? rest : each);
    const std::size_t used = length < depth ? ceil_div(length, each) : shares;
    return static_cast<double>(of_first + used) - 1;
  }
};

/// Roundings on the longest path by tensor cores, for any order in which they add, and in which
/// shares and splits are added. With floats, the roundings of the sum in double are 2^29 times
/// smaller; its result is rounded once more.
template <class T>
double steps_in_double(std::size_t length) {
  const auto in_double = static_cast<double>(length);
  return sizeof(T) == 8 ? in_double : in_double / (1 << 29) + 1;
}

/// A tile of down x across warps, with high x wide tiles of 16 x 8 elements each. Rows of scratch
/// are four elements longer than the stage, so that what a warp reads at once (with doubles, half a
/// warp) causes no bank conflict.
template <int down_, int across_, int high_, int wide_, int stage_bytes_, int stage_count_>
struct MmaTile {
  static constexpr By by = By::mma;
  static constexpr int down = down_, across = across_, high = high_, wide = wide_;
  static constexpr int threads = 32 * down * across;
  static constexpr int rows = 16 * high * down, columns = 8 * wide * across;
  static constexpr int stage_bytes = stage_bytes_, stage_count = stage_count_;
  template <class>
  static constexpr int padding = 4;
  /// If stages of doubles begin on 16-byte boundaries, neighbours share sectors of 32 bytes, and
  /// packs of 16 bytes bring these in twice. Elements, through L1, are faster
  /// (docs/lab/constants.md#average_mv).
  template <class T>
  static constexpr int boundary = 4 * sizeof(T);
  /// Bounds the registers.
  template <class>
  static constexpr int resident_teams = high* wide >= 4   ? 3
                                        : high* wide == 2 ? 6
                                                          : 8;

  template <class T>
  static double steps(std::size_t length) {
    return steps_in_double<T>(length);
  }
};

/// A tile of 16 x 8 wide elements that all warps of a team sum, each its share of the columns of a.
/// No two share an element of a, so these come from memory straight into registers: `ahead` pieces
/// of 64 bytes of every row are under way.
template <int wide_, int shares_, int ahead_>
struct FromMemoryTile {
  static constexpr By by = By::from_memory;
  static constexpr int wide = wide_, shares = shares_, ahead = ahead_;
  static constexpr int threads = 32 * shares;
  static constexpr int rows = 16, columns = 8 * wide;
  template <class>
  static constexpr int boundary = 16;
  /// Bounds the registers.
  template <class>
  static constexpr int resident_teams = 512 / threads;

  template <class T>
  static double steps(std::size_t length) {
    return steps_in_double<T>(length);
  }
};

// More elements per thread read scratch less often per operation; small tiles are more teams, and
// waste less beyond the last row of y (docs/lab/constants.md#tiles-of-the-product).
using Fma64x64 = FmaTile<16, 8, 4, 1, 128>;
using Fma32x32 = FmaTile<8, 4, 4, 4, 256>;
using Mma64x64 = MmaTile<2, 2, 2, 4, 128, 2>;
using Mma64x32 = MmaTile<2, 2, 2, 2, 128, 3>;
using Mma16x32 = MmaTile<1, 4, 1, 1, 128, 3>;
using FromMemory16x16 = FromMemoryTile<2, 8, 3>;

template <class Tile>
std::size_t tile_count(std::size_t length, std::size_t sets) {
  return ceil_div(length, Tile::rows) * ceil_div(sets, Tile::columns);
}

/// Calls f with the tile for y of `length` rows and `sets` columns: f.operator()<Tile>(). `tensor`:
/// whether tensor cores multiply T.
template <class T, bool tensor, class F>
auto with_tile(std::size_t length, std::size_t sets, F&& f) {
  if constexpr (tensor) {
    constexpr std::size_t few = 192, several = 800;
    if (tile_count<Mma16x32>(length, sets) <= few) return f.template operator()<FromMemory16x16>();
    const bool are_several = tile_count<Mma64x32>(length, sets) <= several;
    if (length <= 32 || (length <= 96 && are_several)) return f.template operator()<Mma16x32>();
    return are_several ? f.template operator()<Mma64x32>() : f.template operator()<Mma64x64>();
  } else {
    constexpr std::size_t few = 192;
    return tile_count<Fma64x64>(length, sets) < few ? f.template operator()<Fma32x32>()
                                                    : f.template operator()<Fma64x64>();
  }
}

/// Whether split-K goes between teams, too: of the tiles of with_tile() only these can be too few
/// for all multiprocessors.
template <class Tile>
inline constexpr bool is_split = std::is_same_v<Tile, Mma64x32>;

/// How many splits the columns of a are cut into. Each has teams of its own for all tiles. Their
/// sums go to memory, and a second kernel adds them. Two teams on each of 132 multiprocessors were
/// best, or three where rows are long or there is more than one tile for each; four lost up to a
/// third.
template <class Tile>
std::size_t split_count(std::size_t length, std::size_t sets) {
  constexpr std::size_t multiprocessors = 132;
  const std::size_t tiles = tile_count<Tile>(length, sets);
  if (!is_split<Tile> || tiles == 0) return 1;
  const bool many = tiles > multiprocessors, are_long = length > 2000;
  const std::size_t teams = (many || are_long ? 3 : 2) * multiprocessors;
  const std::size_t least = many ? 450 : are_long ? 320 : 160; // columns
  return std::max<std::size_t>(1, std::min(teams / tiles, length / least));
}

/// Bytes that hold the sums of all splits of `rows` rows of y and `sets` columns, where a has
/// `length` columns, however many columns y has in all: more columns do not mean more splits.
inline std::size_t split_bytes(std::size_t length, std::size_t sets, std::size_t rows) {
  const std::size_t splits = split_count<Mma64x32>(length, sets);
  return splits == 1 ? 0 : splits * rows * sets * sizeof(double);
}

/// Whether rows of a and of mean begin on boundaries from which the tile takes packs of 16 bytes.
template <class Tile, class T>
bool on_boundaries(const Product<T>& p) {
  const auto bits = reinterpret_cast<std::uintptr_t>(p.a) |
                    reinterpret_cast<std::uintptr_t>(p.mean) | p.lda * sizeof(T) |
                    p.length * sizeof(T);
  return bits % Tile::template boundary<T> == 0;
}

/// A stage in a team's scratch: some columns of the rows of a, and below them of mean, that a tile
/// needs.
template <class Tile, class T>
struct Stage {
  static constexpr int depth = Tile::stage_bytes / static_cast<int>(sizeof(T));
  static constexpr int lines = Tile::rows + Tile::columns;
  static constexpr int pitch = depth + Tile::template padding<T>;
  alignas(16) T element[lines][pitch];
};

} // namespace ado::detail::product_plan

/// Both steps in one kernel, for many sets of few short vectors.
namespace ado::detail::fused_plan {

/// Whether one kernel does both steps for sets of `length` vectors of `count` elements, where
/// tensor cores multiply. A team has a in its scratch, and one thread averages each vector
/// (docs/lab/constants.md#both-steps-in-one-kernel).
template <class T>
bool fits(std::size_t sets, std::size_t length, std::size_t count) {
  constexpr std::size_t many = 1200, few_vectors = 64, short_bytes = 256;
  return sets >= many && length <= few_vectors && count * sizeof(T) < short_bytes;
}

/// All rows of y, up to 16 * down; `wide` tiles of a warp lie side by side.
template <class T, int down, int across, int wide>
using SetsTile = product_plan::MmaTile<down, across, 1, wide, 16 * down* int(sizeof(T)), 1>;
/// As many tiles side by side, so as many sets, as a team's 48 KB and registers allow.
template <class T, int down>
using WideSetsTile = SetsTile<T, down, 8 / down, sizeof(T) == 8 ? 1 : (down == 4 ? 4 : 2)>;
/// Where those would be too few for all multiprocessors.
template <class T, int down>
using SlimSetsTile = SetsTile<T, down, 2, 1>;

/// Calls f with the tile for `sets` sets of `length` vectors: f.operator()<Tile>().
template <class T, int down = 4, class F>
void with_tile(std::size_t length, std::size_t sets, F&& f) {
  constexpr std::size_t few_teams = 128;
  if constexpr (down > 1)
    if (length <= 8 * down) return with_tile<T, down / 2>(length, sets, f);
  if (ceil_div(sets, WideSetsTile<T, down>::columns) < few_teams)
    return f.template operator()<SlimSetsTile<T, down>>();
  f.template operator()<WideSetsTile<T, down>>();
}

} // namespace ado::detail::fused_plan
