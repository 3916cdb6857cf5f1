// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the product of average_mv works on, and how `tuned` cuts y into tiles on a GPU: a function
// of the shape alone. Kokkos and the hand-written twin share it; only their kernels are written
// twice.
#pragma once

#include <ado/core/checks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

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
      sets; ///< where each has sets: the tiles follow them, and so does the order of additions
  double* partial = nullptr; ///< product_plan::partial_bytes() of memory, for a GPU
};

} // namespace ado::detail

namespace ado::detail::product_plan {

/// A tile whose elements are in the registers of a team's threads: `groups` groups of 8 x across
/// threads, with high x wide elements per thread. A group takes its share of the columns of every
/// slice. In a warp, 8 threads lie one below the other. Rows of scratch are 16 bytes longer than
/// the slice, so that these threads' reads cause no bank conflict.
template <class Plan>
struct OfThreads : Plan {
  static constexpr bool by_tensor_cores = false, from_memory = false;
  static constexpr int down = 8, group_threads = down * Plan::across;
  static constexpr int threads = Plan::groups * group_threads;
  static constexpr int rows = down * Plan::high, columns = Plan::across * Plan::wide;
  static constexpr int slice_count = 2;
  template <class T>
  static constexpr int padding = 16 / static_cast<int>(sizeof(T));
  template <class>
  static constexpr int boundary = 16;
  /// Bounds the registers: sums of 128 bytes per thread leave room for 512 threads.
  template <class T>
  static constexpr int
      resident_teams = (Plan::high * Plan::wide * sizeof(T) <= 128 ? 512 : 256) / threads;

  /// Multiply-adds of the first group, then one addition for each other group that has columns.
  template <class T>
  static double steps(std::size_t length) {
    constexpr std::size_t depth = Plan::slice_bytes / sizeof(T), share = depth / Plan::groups;
    const std::size_t rest = length % depth;
    const std::size_t of_first = length / depth * share + (rest < share ? rest : share);
    const std::size_t used = length < depth ? ceil_div(length, share) : Plan::groups;
    return static_cast<double>(of_first + used) - 1;
  }
};

/// Roundings on the longest path by tensor cores, for any order in which they add, and in which
/// sums of parts or groups are added. With floats, the roundings of the sum in double are 2^29
/// times smaller; its result is rounded once more.
template <class T>
double steps_in_double(std::size_t length) {
  const auto in_double = static_cast<double>(length);
  return sizeof(T) == 8 ? in_double : in_double / (1 << 29) + 1;
}

/// A tile of a team's down x across warps. The tensor cores of each warp have high x wide tiles of
/// 16 x 8 elements. Rows of scratch are four elements longer than the slice, so that what a warp
/// reads at once (with doubles, half a warp) causes no bank conflict.
template <class Plan>
struct OfWarps : Plan {
  static constexpr bool by_tensor_cores = true, from_memory = false;
  static constexpr int threads = 32 * Plan::down * Plan::across;
  static constexpr int rows = 16 * Plan::high * Plan::down;
  static constexpr int columns = 8 * Plan::wide * Plan::across;
  template <class>
  static constexpr int padding = 4;
  /// If slices of doubles begin on 16-byte boundaries, neighbours share sectors of 32 bytes, and
  /// packs of 16 bytes bring these in twice. Elements, through L1, are faster
  /// (docs/lab/constants.md#average_mv).
  template <class T>
  static constexpr int boundary = 4 * sizeof(T);
  /// Bounds the registers.
  template <class>
  static constexpr int resident_teams = Plan::high* Plan::wide >= 4   ? 3
                                        : Plan::high* Plan::wide == 2 ? 6
                                                                      : 8;

  template <class T>
  static double steps(std::size_t length) {
    return steps_in_double<T>(length);
  }
};

/// A tile of 16 x 8 wide elements of a team's groups. A group is a warp and takes its share of the
/// columns of a. No two share an element of a, so these come from memory straight into registers:
/// `ahead` pieces of 64 bytes of every row are under way. It is for tiles so few that the wait for
/// memory decides.
template <class Plan>
struct OfGroups : Plan {
  static constexpr bool by_tensor_cores = true, from_memory = true;
  static constexpr int threads = 32 * Plan::groups;
  static constexpr int rows = 16, columns = 8 * Plan::wide;
  template <class>
  static constexpr int boundary = 16;
  /// Bounds the registers.
  static constexpr int resident_teams = 512 / threads;

  template <class T>
  static double steps(std::size_t length) {
    return steps_in_double<T>(length);
  }
};

// More elements per thread read scratch less often per operation. More groups have more threads
// where tiles are few. Rows beyond those of y are wasted work. Times of each tile, and of larger
// ones that do not fit: docs/lab/constants.md#tiles-by-multiply-adds.

struct LargePlan { // 64 x 64
  static constexpr int across = 16, high = 8, wide = 4, slice_bytes = 128, groups = 2;
};
struct ManyPlan { // 64 x 64, in fewer threads
  static constexpr int across = 16, high = 8, wide = 4, slice_bytes = 128, groups = 1;
};
struct SmallPlan { // 32 x 32
  static constexpr int across = 8, high = 4, wide = 4, slice_bytes = 256, groups = 4;
};
struct FlatPlan { // 32 x 128
  static constexpr int across = 32, high = 4, wide = 4, slice_bytes = 64, groups = 1;
};
using LargeTile = OfThreads<LargePlan>;
using ManyTile = OfThreads<ManyPlan>;
using SmallTile = OfThreads<SmallPlan>;
using FlatTile = OfThreads<FlatPlan>;

// Where tensor cores multiply (docs/lab/constants.md#tiles-by-tensor-cores).

// Where tiles are few (docs/lab/constants.md#few-tiles).

struct LargeMmaPlan { // 64 x 64
  static constexpr int high = 2, wide = 4, down = 2, across = 2, slice_bytes = 128, slice_count = 2;
};
/// 64 x 64, for doubles that are copied one by one, or where tiles are not too many.
struct DeepMmaPlan {
  static constexpr int high = 2, wide = 4, down = 2, across = 2, slice_bytes = 64, slice_count = 3;
};
struct TallMmaPlan { // 64 x 32, for sets that are few, or not many
  static constexpr int high = 2, wide = 2, down = 2, across = 2, slice_bytes = 128, slice_count = 3;
};
struct SmallMmaPlan { // 32 x 32
  static constexpr int high = 1, wide = 2, down = 2, across = 2, slice_bytes = 128, slice_count = 3;
};
struct FlatMmaPlan { // 16 x 128
  static constexpr int high = 1, wide = 8, down = 1, across = 2, slice_bytes = 64, slice_count = 2;
};
struct SlimMmaPlan { // 16 x 32
  static constexpr int high = 1, wide = 1, down = 1, across = 4, slice_bytes = 128, slice_count = 2;
};
struct ThinGroupsPlan { // 16 x 8
  static constexpr int wide = 1, groups = 16, ahead = 4;
};
struct FewGroupsPlan { // 16 x 16
  static constexpr int wide = 2, groups = 8, ahead = 3;
};
using LargeMma = OfWarps<LargeMmaPlan>;
using DeepMma = OfWarps<DeepMmaPlan>;
using TallMma = OfWarps<TallMmaPlan>;
using SmallMma = OfWarps<SmallMmaPlan>;
using FlatMma = OfWarps<FlatMmaPlan>;
using SlimMma = OfWarps<SlimMmaPlan>;
using ThinGroups = OfGroups<ThinGroupsPlan>;
using FewGroups = OfGroups<FewGroupsPlan>;

inline constexpr std::size_t few_tiles = 128, many_tiles = 512;
/// Teams that are one, two and three for each of 132 multiprocessors.
inline constexpr std::size_t one_each = 132, two_each = 264, three_each = 396;
inline constexpr std::size_t long_row = 2000; ///< from here on what counts is how often a is read

template <class Tile>
std::size_t tile_count(std::size_t length, std::size_t sets) {
  return ceil_div(length, Tile::rows) * ceil_div(sets, Tile::columns);
}

/// Whether rows of a and of mean begin on boundaries from which the tile takes packs of 16 bytes.
template <class Tile, class T>
bool on_boundaries(const T* a, std::size_t lda, const T* mean, std::size_t length) {
  const auto bits = reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(mean) |
                    lda * sizeof(T) | length * sizeof(T);
  return bits % Tile::template boundary<T> == 0;
}

/// How many parts the columns of a are cut into. Each part has teams of its own for all tiles,
/// where these are too few for all multiprocessors. Their sums go to memory, and a second kernel
/// adds them. Two teams on each multiprocessor were best, or three where rows are long or there is
/// more than one tile for each; four lost up to a third.
template <class Tile>
std::size_t part_count(std::size_t length, std::size_t sets) {
  if (!Tile::by_tensor_cores || Tile::from_memory) return 1;
  const std::size_t tiles = tile_count<Tile>(length, sets);
  if (tiles == 0) return 1;
  const bool many = tiles > one_each, are_long = length > long_row;
  const std::size_t teams = many || are_long ? three_each : two_each;
  const std::size_t least = many ? 450 : are_long ? 320 : 160; // columns
  return std::max<std::size_t>(1, std::min(teams / tiles, length / least));
}

/// Calls f with the tile for y of `length` rows and `sets` columns: f.operator()<Tile>(). `tensor`:
/// whether tensor cores multiply T.
template <class T, bool tensor, class F>
auto with_tile(std::size_t length, std::size_t sets, F&& f) {
  if constexpr (tensor) {
    const std::size_t tiles = tile_count<LargeMma>(length, sets);
    if (length <= FlatMma::rows)
      return tiles < few_tiles ? f.template operator()<SlimMma>()
                               : f.template operator()<FlatMma>();
    if (sets <= ThinGroups::columns) return f.template operator()<ThinGroups>();
    if (tile_count<SlimMma>(length, sets) <= few_tiles) return f.template operator()<FewGroups>();
    constexpr std::size_t short_row = sizeof(T) == 4 ? 600 : 512;
    if (length <= SmallMma::rows ||
        (length <= short_row && tile_count<SmallMma>(length, sets) <= three_each))
      return f.template operator()<SmallMma>();
    if (sets <= TallMma::columns ||
        (length <= long_row && tile_count<TallMma>(length, sets) <= three_each))
      return f.template operator()<TallMma>();
    if constexpr (sizeof(T) == 8) // copies of single elements take registers for more addresses
      if (length % 4 != 0 || (tiles <= many_tiles && part_count<LargeMma>(length, sets) == 1))
        return f.template operator()<DeepMma>();
    return f.template operator()<LargeMma>();
  } else {
    const std::size_t tiles = tile_count<LargeTile>(length, sets);
    if (length <= FlatTile::rows && tile_count<FlatTile>(length, sets) >= few_tiles)
      return f.template operator()<FlatTile>();
    if (tiles < few_tiles || length <= FlatTile::rows) return f.template operator()<SmallTile>();
    if (sizeof(T) == 8 || tiles >= many_tiles) return f.template operator()<ManyTile>();
    return f.template operator()<LargeTile>();
  }
}

/// Bytes that hold the sums of all parts of `rows` rows of y and `sets` columns, where a has
/// `length` columns, however many columns y has in all: more columns do not mean more parts. No
/// tile has more parts than the largest.
inline std::size_t partial_bytes(std::size_t length, std::size_t sets, std::size_t rows) {
  const std::size_t parts = part_count<LargeMma>(length, sets);
  return parts == 1 ? 0 : parts * rows * sets * sizeof(double);
}

} // namespace ado::detail::product_plan

/// Both steps in one kernel, for sets of few short vectors.
namespace ado::detail::fused_plan {

inline constexpr std::size_t most_vectors = 64; ///< of a set, so that a fits a team's scratch
inline constexpr std::size_t few_teams = 128;

/// For up to 16 * down vectors per set; `wide` tiles of a warp lie side by side.
template <class T, int down_, int wide_, int across_>
struct SetsPlan {
  static constexpr int high = 1, wide = wide_, down = down_, across = across_;
  static constexpr int slice_bytes = 16 * down * int(sizeof(T)), slice_count = 1;
};
/// As many tiles side by side, so as many sets, as a team's 48 KB and registers allow.
template <class T, int down>
inline constexpr int most_wide = sizeof(T) == 8 ? 1 : (down == 4 ? 4 : 2);
/// Tiles with all rows of y: for many sets, or for few sets if the former are not enough for all
/// multiprocessors.
template <class T, int down>
using ManySets = product_plan::OfWarps<SetsPlan<T, down, most_wide<T, down>, 8 / down>>;
template <class T, int down>
using FewSets = product_plan::OfWarps<SetsPlan<T, down, 1, 2>>;

/// Whether one kernel does both steps for sets of `length` vectors of `count` elements, where
/// tensor cores multiply. Vectors must be shorter than 256 bytes; one thread averages each. Few
/// sets must be small, because few teams read them
/// (docs/lab/constants.md#both-steps-in-one-kernel).
template <class T>
bool fits(std::size_t sets, std::size_t length, std::size_t count) {
  constexpr std::size_t few = 1200, bytes_of_few = 2560;
  const std::size_t bytes = count * sizeof(T);
  return length <= most_vectors && bytes < 256 && (sets >= few || length * bytes <= bytes_of_few);
}

/// Calls f with the tile for `sets` sets of `length` vectors: f.operator()<Tile>().
template <class T, int down = 4, class F>
void with_tile(std::size_t length, std::size_t sets, F&& f) {
  if constexpr (down > 1)
    if (length <= 8 * down) return with_tile<T, down / 2>(length, sets, f);
  if (ceil_div(sets, ManySets<T, down>::columns) < few_teams)
    return f.template operator()<FewSets<T, down>>();
  f.template operator()<ManySets<T, down>>();
}

} // namespace ado::detail::fused_plan
