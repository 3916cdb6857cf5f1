// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv's tiles on a GPU, in the product and in the fused kernel: threads copy each place of a
// slice once, and the edge shapes reach each tile, with rows that are aligned to 16 bytes and with
// others.
#include <ado/average/problem.hpp>
#include <ado/average_mv/detail/device_fused.hpp>
#include <ado/average_mv/detail/device_product.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <set>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace ado::detail::device_product {
namespace {

using bench::average_edge_shapes;
using bench::Shape;

/// Includes the places after slices of shifted rows.
template <class Tile, int width, bool shifted, class T>
void expect_each_place_once() {
  SCOPED_TRACE(testing::Message() << typeid(Tile).name() << ", " << width << " x " << sizeof(T));
  using OfThread = Copies<Tile, width, shifted, T>;
  using Places = Slice<Tile, T>;
  const T element = 0;
  const Product<T> p{&element, 0, &element, nullptr, 0, 0, 1, 1};
  std::vector<int> copied(std::size_t{Places::lines} * Places::pitch), wanted;
  for (int thread = 0; thread < Tile::threads; ++thread) {
    const OfThread copies(p, 0, 0, thread);
    for (int k = 0; k < OfThread::count; ++k)
      for (int e = 0; e < width && copies.has(k); ++e)
        ++copied.at(std::size_t(copies.line(k)) * Places::pitch + copies.column(k) + e);
  }
  for (int line = 0; line < Places::lines; ++line)
    for (int column = 0; column < Places::pitch; ++column)
      wanted.push_back(column < Places::depth + (shifted ? width : 0));
  EXPECT_EQ(copied, wanted);
}

template <class T, class... Tile>
void expect_each_place_once_in() {
  (expect_each_place_once<Tile, 1, false, T>(), ...);
  (expect_each_place_once<Tile, Pack<T>::size, false, T>(), ...);
}

TEST(ProductTiles, ThreadsCopyEachPlaceOnce) {
  expect_each_place_once_in<float, LargeTile, ManyTile, SmallTile, FlatTile>();
  expect_each_place_once_in<double, LargeTile, ManyTile, SmallTile, FlatTile>();
  expect_each_place_once_in<float, LargeMma, TallMma, SmallMma, FlatMma, SlimMma>();
  expect_each_place_once_in<double, LargeMma, DeepMma, TallMma, SmallMma, FlatMma, SlimMma>();
  expect_each_place_once<LargeMma, 4, true, float>();
  expect_each_place_once<TallMma, 4, true, float>();
  expect_each_place_once<SmallMma, 4, true, float>();
  expect_each_place_once<FlatMma, 4, true, float>();
  expect_each_place_once<SlimMma, 4, true, float>();
}

/// Matrices that start `offset` elements after a 16-byte boundary, and own the bytes before.
struct Matrices {
  std::size_t length, sets, lda;
  std::vector<float> of_a, of_mean;
  Product<float> p{};

  Matrices(std::size_t length_, std::size_t sets_, std::size_t padding, std::size_t offset)
      : length(length_),
        sets(sets_),
        lda(length_ + padding),
        of_a(length * lda + 8),
        of_mean(sets * length + 8) {
    for (std::vector<float>* all : {&of_a, &of_mean})
      for (std::size_t k = 0; k < all->size(); ++k)
        (*all)[k] = static_cast<float>(k % 8191) + (all == &of_a ? 1.0F : 0.5F);
    p.a = on_boundary(of_a) + offset;
    p.lda = lda;
    p.mean = on_boundary(of_mean);
    p.length = length;
    p.sets = p.sets_of_all = sets;
    p.rows = length;
  }
  static const float* on_boundary(const std::vector<float>& all) {
    const int shift = shift_of(all.data());
    return all.data() + (shift == 0 ? 0 : 4 - shift);
  }
};

/// The tensor cores read the last tile from all slices, and 0 after its rows.
template <class Tile>
void expect_slices_of(const Matrices& m) {
  using Places = Slice<Tile, float>;
  SCOPED_TRACE(testing::Message() << typeid(Tile).name() << ", " << m.length << ", " << m.sets);
  const std::size_t i0 = (m.length - 1) / Tile::rows * Tile::rows;
  const std::size_t n0 = (m.sets - 1) / Tile::columns * Tile::columns;
  for (unsigned j0 = 0; j0 < m.length; j0 += Places::depth) {
    const auto memory = std::make_unique<Places>(); // scratch, too large for a stack frame
    Places& slice = *memory;
    for (int thread = 0; thread < Tile::threads; ++thread)
      Copies<Tile, 4, true, float>(m.p, i0, n0, thread).start(slice, j0);
    for (int line = 0; line < Places::lines; ++line) {
      const bool of_a = line < Tile::rows;
      const std::size_t own = of_a ? i0 + line : n0 + line - Tile::rows;
      if (own >= (of_a ? m.length : m.sets)) continue;
      const float* const row = of_a ? m.p.a + own * m.lda : m.p.mean + own * m.length;
      for (int k = 0; k < Places::depth; ++k)
        ASSERT_EQ(slice.element[line][shift_of(row) + k], j0 + k < m.length ? row[j0 + k] : 0.0F)
            << line << ", " << j0 + k;
    }
  }
}

TEST(ProductTiles, SlicesHoldRowsThatBeginAnywhere) {
  for (const std::size_t length : {17, 31, 62, 64, 97, 130})
    for (const std::size_t offset : {0, 1, 2, 3}) {
      expect_slices_of<LargeMma>(Matrices(length, 66, 0, offset));
      expect_slices_of<TallMma>(Matrices(length, 31, 3, offset));
      expect_slices_of<SmallMma>(Matrices(length, 5, 5, offset));
    }
}

/// Copies read the tile's rows if the matrices have them, else any other row of the matrices.
template <class Tile>
void expect_rows_of_the_matrices(std::size_t length, std::size_t sets) {
  SCOPED_TRACE(testing::Message() << typeid(Tile).name() << ", " << length << ", " << sets);
  const std::vector<float> a(length * length), mean(sets * length);
  const Product<float> p{a.data(), length, mean.data(), nullptr, 0, 0, length, sets};
  const std::size_t i0 = (length - 1) / Tile::rows * Tile::rows;
  const std::size_t n0 = (sets - 1) / Tile::columns * Tile::columns; // the last tile
  for (int line = 0; line < Tile::rows + Tile::columns; ++line) {
    const bool of_a = line < Tile::rows;
    const std::size_t rows = of_a ? length : sets,
                      wanted = of_a ? i0 + line : n0 + line - Tile::rows;
    const std::ptrdiff_t read = row_of<Tile>(p, i0, n0, line) - (of_a ? a.data() : mean.data());
    ASSERT_EQ(read % std::ptrdiff_t(length), 0);
    const auto row = std::size_t(read) / length;
    if (wanted < rows)
      ASSERT_EQ(row, wanted);
    else
      ASSERT_LT(row, rows);
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

/// Parts for a y of this size.
std::size_t parts_of(std::size_t length, std::size_t sets) {
  return with_tile<double, true>(length, sets,
                                 [&]<class Tile>() { return part_count<Tile>(length, sets); });
}

TEST(ProductTiles, TakePacksFromBoundaries) {
  alignas(32) const double d[8]{};
  EXPECT_TRUE((on_boundaries<DeepMma>(d, 4, d, 8)));
  EXPECT_FALSE((on_boundaries<DeepMma>(d + 2, 4, d, 8))); // 16 bytes are no sector
  EXPECT_FALSE((on_boundaries<DeepMma>(d, 6, d, 8)));
  EXPECT_FALSE((on_boundaries<DeepMma>(d, 4, d + 1, 8)));
  EXPECT_FALSE((on_boundaries<DeepMma>(d, 4, d, 6)));
  EXPECT_TRUE((on_boundaries<FewGroups>(d + 2, 6, d, 2))); // no slices
  alignas(16) const float s[8]{};
  EXPECT_TRUE((on_boundaries<LargeMma>(s + 4, 4, s, 8)));
  EXPECT_FALSE((on_boundaries<LargeMma>(s, 4, s, 6)));
}

template <class T>
std::string tile_of(std::size_t length, std::size_t sets) {
  return with_tile<T, true>(length, sets,
                            []<class Tile>() { return std::string(typeid(Tile).name()); });
}
template <class Tile>
const char* name_of() {
  return typeid(Tile).name();
}

TEST(ProductTiles, FollowTheShape) {
  EXPECT_EQ(tile_of<double>(512, 512), name_of<SmallMma>());
  EXPECT_EQ(tile_of<double>(294, 1537), name_of<TallMma>()); // 490 of 32 x 32, more than three each
  EXPECT_EQ(tile_of<double>(901, 147), name_of<TallMma>());
  EXPECT_EQ(tile_of<float>(837, 883), name_of<TallMma>());    // 392
  EXPECT_EQ(tile_of<float>(1024, 1024), name_of<LargeMma>()); // 512
  EXPECT_EQ(tile_of<double>(1024, 1024), name_of<DeepMma>());
  EXPECT_EQ(tile_of<double>(2000, 100), name_of<TallMma>());
  EXPECT_EQ(tile_of<double>(2048, 256), name_of<LargeMma>()); // long rows, parts
  EXPECT_EQ(tile_of<double>(2046, 256), name_of<DeepMma>());  // no packs
}

TEST(ProductParts, AreManyWhereTilesAreFew) {
  EXPECT_EQ(parts_of(8197, 30), 3u);  // 129 tiles of 64 x 32
  EXPECT_EQ(parts_of(3001, 40), 8u);  // 47 of 64 x 64
  EXPECT_EQ(parts_of(901, 147), 3u);  // 75 of 64 x 32
  EXPECT_EQ(parts_of(1156, 313), 2u); // 190
  EXPECT_EQ(parts_of(1345, 323), 1u); // 242
  EXPECT_EQ(parts_of(499, 129), 3u);  // 80 of 32 x 32, of at least 128 columns
  EXPECT_EQ(parts_of(416, 362), 1u);  // 156: no two parts of 450
  EXPECT_EQ(parts_of(26342, 25), 1u); // 412 of 64 x 32
  EXPECT_EQ(parts_of(1024, 1024), 1u);
  EXPECT_EQ(parts_of(30001, 8), 1u); // straight from memory
}

TEST(ProductParts, FitTheMemoryOfARankHoweverManySetsThereAreInAll) {
  for (const std::size_t length : {1, 100, 499, 1266, 2081, 8197})
    for (std::size_t sets = 1; sets < 700; sets += 1 + sets / 4)
      for (std::size_t of_all = sets; of_all < 3000; of_all += 1 + of_all / 4) {
        const std::size_t parts = parts_of(length, of_all);
        ASSERT_GE(partial_bytes(length, sets, 77),
                  (parts > 1 ? parts : 0) * 77 * sets * sizeof(double))
            << length << ", " << sets << " of " << of_all;
      }
  EXPECT_EQ(partial_bytes(0, 0, 0), 0u);
  EXPECT_EQ(partial_bytes(1024, 1024, 1024), 0u);
}

template <class T>
VectorsRef<T> vectors_of(const Shape& s) {
  return {nullptr, s[0], s[1], s[2], s[1] * s[2], s[2]};
}
/// Whether device_fused takes the edge shape, so no tile does.
template <class T, bool tensor>
bool fused(const Shape& s) {
  return tensor && fused_plan::fits<T>(s[0], s[1], s[2]);
}

/// Tiles that the edge shapes of average_mv reach, and whether rows are aligned.
template <class T, bool tensor>
std::set<std::pair<std::string, bool>> met() {
  std::set<std::pair<std::string, bool>> all;
  for (const Shape& shape : average_edge_shapes()) {
    const std::size_t sets = shape[0], length = shape[1];
    if (sets == 0 || length == 0 || fused<T, tensor>(shape)) continue;
    with_tile<T, tensor>(length, sets, [&]<class Tile>() {
      const T* const boundary = nullptr;
      all.emplace(typeid(Tile).name(), on_boundaries<Tile>(boundary, length, boundary, length));
    });
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
  const std::pair tall_on_boundaries{std::string(typeid(TallMma).name()),
                                     true}; // one such shape costs enough
  auto floats = both_of<LargeMma, TallMma, SmallMma, FlatMma, SlimMma, ThinGroups, FewGroups>();
  floats.erase(tall_on_boundaries);
  EXPECT_EQ((met<float, true>()), floats);
  EXPECT_EQ((met<double, false>()), (both_of<ManyTile, SmallTile, FlatTile>()));
  auto doubles =
      both_of<LargeMma, DeepMma, TallMma, SmallMma, FlatMma, SlimMma, ThinGroups, FewGroups>();
  doubles.erase(tall_on_boundaries);
  doubles.erase({typeid(LargeMma).name(), false}); // only for rows with gaps between them
  EXPECT_EQ((met<double, true>()), doubles);
}

/// Each tile, and vectors with each number of loads, in many sets and in few.
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

TEST(FusedSets, AreManyOrSmall) {
  EXPECT_TRUE(fused_plan::fits<float>(22, 16, 28));
  EXPECT_FALSE(fused_plan::fits<double>(22, 58, 20));
  EXPECT_FALSE(fused_plan::fits<float>(1100, 48, 32));
  EXPECT_TRUE(fused_plan::fits<float>(1800, 48, 32));
  EXPECT_FALSE(fused_plan::fits<float>(1800, 48, 64)); // vectors of 256 bytes
}

TEST(FusedSets, EdgeShapesMeetEachKernel) {
  expect_edge_shapes_meet_each_kernel<float>();
  expect_edge_shapes_meet_each_kernel<double>();
}

} // namespace
} // namespace ado::detail::device_product
