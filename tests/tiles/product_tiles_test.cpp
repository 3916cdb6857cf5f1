// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tiles of average_mv on a GPU, of its product and of both steps in one kernel: threads copy each
// place of a slice once, and the edge shapes meet each tile, with rows that start on boundaries of 16
// bytes and with others.
#include <ado/average/problem.hpp>
#include <ado/average_mv/detail/device_fused.hpp>
#include <ado/average_mv/detail/device_product.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace ado::detail::device_product {
namespace {

template <class Tile, int width, class T>
void expect_each_place_once() {
  SCOPED_TRACE(testing::Message() << typeid(Tile).name() << ", " << width << " x " << sizeof(T));
  using OfThread = Copies<Tile, width, T>;
  using Places = Slice<Tile, T>;
  const Product<T> p{nullptr, 0, nullptr, nullptr, 0, 0, 1, 1};
  std::vector<int> copied(std::size_t{Places::lines} * Places::depth);
  for (int thread = 0; thread < Tile::threads; ++thread) {
    const OfThread copies(p, 0, 0, thread);
    for (int k = 0; k < OfThread::count; ++k)
      for (int e = 0; e < width && copies.has(k); ++e)
        ++copied.at(std::size_t(copies.line(k)) * Places::depth + copies.column() + e);
  }
  EXPECT_EQ(copied, std::vector<int>(copied.size(), 1));
}

template <class T, class... Tile>
void expect_each_place_once_in() {
  (expect_each_place_once<Tile, 1, T>(), ...);
  (expect_each_place_once<Tile, Pack<T>::size, T>(), ...);
}

TEST(ProductTiles, ThreadsCopyEachPlaceOnce) {
  expect_each_place_once_in<float, LargeTile, ManyTile, SmallTile, FlatTile>();
  expect_each_place_once_in<double, LargeTile, ManyTile, SmallTile, FlatTile>();
  expect_each_place_once_in<float, LargeMma, SmallMma, FlatMma, SlimMma>();
  expect_each_place_once_in<double, LargeMma, DeepMma, SmallMma, FlatMma, SlimMma>();
}

/// Copies read rows of the tile where the matrices have them, else any others of theirs.
template <class Tile>
void expect_rows_of_the_matrices(std::size_t length, std::size_t sets) {
  SCOPED_TRACE(testing::Message() << typeid(Tile).name() << ", " << length << ", " << sets);
  const std::vector<float> a(length * length), mean(sets * length);
  const Product<float> p{a.data(), length, mean.data(), nullptr, 0, 0, length, sets};
  const std::size_t i0 = (length - 1) / Tile::rows * Tile::rows;
  const std::size_t n0 = (sets - 1) / Tile::columns * Tile::columns; // the last tile
  using OfThread = Copies<Tile, 1, float>;
  for (int thread = 0; thread < Tile::threads; ++thread) {
    const OfThread copies(p, i0, n0, thread);
    for (int k = 0; k < OfThread::count && copies.has(k); ++k) {
      const auto line = std::size_t(copies.line(k));
      const bool of_a = line < Tile::rows;
      const std::size_t rows = of_a ? length : sets,
                        wanted = of_a ? i0 + line : n0 + line - Tile::rows;
      const std::ptrdiff_t read = copies.from[k] - (of_a ? a.data() : mean.data());
      ASSERT_EQ(read % std::ptrdiff_t(length), 0);
      const auto row = std::size_t(read) / length;
      if (wanted < rows)
        ASSERT_EQ(row, wanted);
      else
        ASSERT_LT(row, rows);
    }
  }
}

TEST(ProductTiles, RowsBeyondTheMatricesAreOthersOfThem) {
  for (const std::size_t length : {1, 5, 17, 64, 97})
    for (const std::size_t sets : {1, 31, 129}) {
      expect_rows_of_the_matrices<LargeMma>(length, sets);
      expect_rows_of_the_matrices<FlatMma>(length, sets);
      expect_rows_of_the_matrices<SmallTile>(length, sets);
    }
}

template <class T>
VectorsRef<T> vectors_of(const Shape& s) {
  return {nullptr, s[0], s[1], s[2], s[1] * s[2], s[2]};
}
/// Whether the edge shape is one for device_fused, so for no tile here.
template <class T, bool tensor>
bool fused(const Shape& s) {
  return tensor && fused_plan::fits<T>(s[0], s[1], s[2]);
}

/// Tiles that the edge shapes of average_mv lead to, and whether rows start on boundaries.
template <class T, bool tensor>
std::set<std::pair<std::string, bool>> met() {
  std::set<std::pair<std::string, bool>> all;
  for (const Shape& shape : average_edge_shapes())
    if (const auto [sets, length, vectors] = shape;
        sets > 0 && length > 0 && !fused<T, tensor>(shape)) {
      const bool wide = length % Pack<T>::size == 0;
      with_tile<T, tensor>(length, sets,
                           [&]<class Tile>() { all.emplace(typeid(Tile).name(), wide); });
    }
  return all;
}

template <class... Tile>
std::set<std::pair<std::string, bool>> both_of() {
  std::set<std::pair<std::string, bool>> all;
  for (const bool wide : {false, true})
    (all.emplace(typeid(Tile).name(), wide), ...);
  return all;
}

TEST(ProductTiles, EdgeShapesMeetEachTile) {
  EXPECT_EQ((met<float, false>()), (both_of<LargeTile, ManyTile, SmallTile, FlatTile>()));
  EXPECT_EQ((met<float, true>()), (both_of<LargeMma, SmallMma, FlatMma, SlimMma>()));
  EXPECT_EQ((met<double, false>()), (both_of<ManyTile, SmallTile, FlatTile>()));
  EXPECT_EQ((met<double, true>()), (both_of<LargeMma, DeepMma, SmallMma, FlatMma, SlimMma>()));
}

/// Each tile, and vectors of each number of loads in many sets and in few.
template <class T>
void expect_edge_shapes_meet_each_kernel() {
  using device_fused::FewSets, device_fused::ManySets;
  std::set<std::string> tiles;
  std::set<int> with_many, with_few;
  for (const Shape& shape : average_edge_shapes())
    if (shape[0] > 0 && shape[1] > 0 && fused<T, true>(shape))
      device_fused::with_tile<T>(shape[1], shape[0], [&]<class Tile>() {
        tiles.insert(typeid(Tile).name());
        const bool few = ceil_div(shape[0], Tile::columns) < device_fused::few_teams;
        (few ? with_few : with_many).insert(device_fused::loads_of_a_vector(vectors_of<T>(shape)));
      });
  std::set<std::string> all;
  all.insert({typeid(ManySets<T, 1>).name(), typeid(ManySets<T, 2>).name(),
              typeid(ManySets<T, 4>).name(), typeid(FewSets<T, 1>).name(),
              typeid(FewSets<T, 2>).name(), typeid(FewSets<T, 4>).name()});
  EXPECT_EQ(tiles, all);
  const std::set<int> all_loads{0, 1, 2, 4, device_fused::long_packs};
  EXPECT_EQ(with_many, all_loads);
  EXPECT_EQ(with_few, all_loads);
}

TEST(FusedSets, EdgeShapesMeetEachKernel) {
  expect_edge_shapes_meet_each_kernel<float>();
  expect_edge_shapes_meet_each_kernel<double>();
}

} // namespace
} // namespace ado::detail::device_product
