// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tiles of average_mv's product on a GPU: threads copy each place of a slice once, and the edge
// shapes meet each tile, with rows that start on boundaries of 16 bytes and with others.
#include <ado/average/problem.hpp>
#include <ado/average_mv/device_product.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace ado::device_product {
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
  expect_each_place_once_in<float, LargeMma, WideMma, SmallMma, FlatMma>();
  expect_each_place_once_in<double, LargeMma, DeepMma, WideMma, SmallMma, FlatMma>();
}

/// Tiles that the edge shapes of average_mv lead to, and whether rows start on boundaries.
template <class T, bool tensor>
std::set<std::pair<std::string, bool>> met() {
  std::set<std::pair<std::string, bool>> all;
  for (const auto& [sets, length, vectors] : average_edge_shapes())
    if (sets > 0 && length > 0) {
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
  EXPECT_EQ((met<float, true>()), (both_of<LargeMma, WideMma, SmallMma, FlatMma>()));
  EXPECT_EQ((met<double, false>()), (both_of<ManyTile, SmallTile, FlatTile>()));
  EXPECT_EQ((met<double, true>()), (both_of<LargeMma, DeepMma, WideMma, SmallMma, FlatMma>()));
}

} // namespace
} // namespace ado::device_product
