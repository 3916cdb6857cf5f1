// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv's tiles on a GPU, in the product and in the fused kernel: threads copy each place of a
// stage once, and the edge shapes reach each tile, with rows that are aligned to 16 bytes and with
// others.
#include <ado/average/problem.hpp>
#include <ado/average_mv/detail/fused.hpp>
#include <ado/average_mv/detail/product/device.hpp>

#include <gtest/gtest.h>

#include <algorithm>
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

/// Includes the places after stages of shifted rows.
template <class Tile, int width, bool shifted, class T>
void expect_each_place_once() {
  SCOPED_TRACE(testing::Message() << typeid(Tile).name() << ", " << width << " x " << sizeof(T));
  using OfThread = Copies<Tile, width, shifted, T>;
  using Places = Stage<Tile, T>;
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
  expect_each_place_once_in<float, Fma64x64, Fma32x32, Mma64x64, Mma64x32, Mma16x32>();
  expect_each_place_once_in<double, Fma64x64, Fma32x32, Mma64x64, Mma64x32, Mma16x32>();
  expect_each_place_once<Mma64x64, 4, true, float>();
  expect_each_place_once<Mma64x32, 4, true, float>();
  expect_each_place_once<Mma16x32, 4, true, float>();
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

/// The tensor cores read the last tile from all stages, and 0 after its rows.
template <class Tile>
void expect_stages_of(const Matrices& m) {
  using Places = Stage<Tile, float>;
  SCOPED_TRACE(testing::Message() << typeid(Tile).name() << ", " << m.length << ", " << m.sets);
  const std::size_t i0 = (m.length - 1) / Tile::rows * Tile::rows;
  const std::size_t n0 = (m.sets - 1) / Tile::columns * Tile::columns;
  for (unsigned j0 = 0; j0 < m.length; j0 += Places::depth) {
    const auto memory = std::make_unique<Places>(); // scratch, too large for a stack frame
    Places& stage = *memory;
    for (int thread = 0; thread < Tile::threads; ++thread)
      Copies<Tile, 4, true, float>(m.p, i0, n0, thread).start(stage, j0);
    for (int line = 0; line < Places::lines; ++line) {
      const bool of_a = line < Tile::rows;
      const std::size_t own = of_a ? i0 + line : n0 + line - Tile::rows;
      if (own >= (of_a ? m.length : m.sets)) continue;
      const float* const row = of_a ? m.p.a + own * m.lda : m.p.mean + own * m.length;
      for (int k = 0; k < Places::depth; ++k)
        ASSERT_EQ(stage.element[line][shift_of(row) + k], j0 + k < m.length ? row[j0 + k] : 0.0F)
            << line << ", " << j0 + k;
    }
  }
}

TEST(ProductTiles, StagesHoldRowsThatBeginAnywhere) {
  for (const std::size_t length : {17, 31, 62, 64, 97, 130})
    for (const std::size_t offset : {0, 1, 2, 3}) {
      expect_stages_of<Mma64x64>(Matrices(length, 66, 0, offset));
      expect_stages_of<Mma64x32>(Matrices(length, 31, 3, offset));
      expect_stages_of<Mma16x32>(Matrices(length, 5, 5, offset));
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
      expect_rows_of_the_matrices<Mma64x64>(length, sets);
      expect_rows_of_the_matrices<Mma16x32>(length, sets);
      expect_rows_of_the_matrices<Fma32x32>(length, sets);
    }
}

/// Splits for a y of this size.
std::size_t splits_of(std::size_t length, std::size_t sets) {
  return with_tile<double, true>(length, sets,
                                 [&]<class Tile>() { return split_count<Tile>(length, sets); });
}

template <class Tile, class T>
bool takes_packs(const T* a, std::size_t lda, const T* mean, std::size_t length) {
  return on_boundaries<Tile>(Product<T>{a, lda, mean, nullptr, 0, 0, length, 1});
}

TEST(ProductTiles, TakePacksFromBoundaries) {
  alignas(32) const double d[8]{};
  EXPECT_TRUE((takes_packs<Mma64x64>(d, 4, d, 8)));
  EXPECT_FALSE((takes_packs<Mma64x64>(d + 2, 4, d, 8))); // 16 bytes are no sector
  EXPECT_FALSE((takes_packs<Mma64x64>(d, 6, d, 8)));
  EXPECT_FALSE((takes_packs<Mma64x64>(d, 4, d + 1, 8)));
  EXPECT_FALSE((takes_packs<Mma64x64>(d, 4, d, 6)));
  EXPECT_TRUE((takes_packs<FromMemory16x16>(d + 2, 6, d, 2))); // no stages
  alignas(16) const float s[8]{};
  EXPECT_TRUE((takes_packs<Mma64x64>(s + 4, 4, s, 8)));
  EXPECT_FALSE((takes_packs<Mma64x64>(s, 4, s, 6)));
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
  EXPECT_EQ(tile_of<double>(512, 192), name_of<FromMemory16x16>()); // 192 of 16 x 32
  EXPECT_EQ(tile_of<double>(512, 193), name_of<Mma64x32>());
  EXPECT_EQ(tile_of<float>(32, 100000), name_of<Mma16x32>());
  EXPECT_EQ(tile_of<float>(33, 25600), name_of<Mma16x32>()); // 800 of 64 x 32
  EXPECT_EQ(tile_of<float>(33, 25601), name_of<Mma64x64>());
  EXPECT_EQ(tile_of<float>(96, 5000), name_of<Mma16x32>());
  EXPECT_EQ(tile_of<float>(97, 5000), name_of<Mma64x32>());
  EXPECT_EQ(tile_of<double>(1280, 1280), name_of<Mma64x32>()); // 800
  EXPECT_EQ(tile_of<double>(1281, 1280), name_of<Mma64x64>());
}

TEST(ProductSplits, AreManyWhereTilesAreFew) {
  EXPECT_EQ(splits_of(8197, 30), 3u);  // 129 tiles
  EXPECT_EQ(splits_of(901, 147), 3u);  // 75
  EXPECT_EQ(splits_of(3001, 40), 4u);  // 94
  EXPECT_EQ(splits_of(1156, 313), 2u); // 190
  EXPECT_EQ(splits_of(1345, 323), 1u); // 242
  EXPECT_EQ(splits_of(416, 362), 2u);  // 84, of at least 160 columns
  EXPECT_EQ(splits_of(416, 900), 1u);  // 203: no two splits of 450
  EXPECT_EQ(splits_of(26342, 25), 1u); // 412
  EXPECT_EQ(splits_of(1024, 1024), 1u);
  EXPECT_EQ(splits_of(499, 129), 1u); // straight from memory
}

TEST(ProductSplits, FitTheMemoryOfARankHoweverManySetsThereAreInAll) {
  for (const std::size_t length : {1, 100, 499, 1266, 2081, 8197})
    for (std::size_t sets = 1; sets < 700; sets += 1 + sets / 4)
      for (std::size_t of_all = sets; of_all < 3000; of_all += 1 + of_all / 4) {
        const std::size_t splits = splits_of(length, of_all);
        ASSERT_GE(split_bytes(length, sets, 77),
                  (splits > 1 ? splits : 0) * 77 * sets * sizeof(double))
            << length << ", " << sets << " of " << of_all;
      }
  EXPECT_EQ(split_bytes(0, 0, 0), 0u);
  EXPECT_EQ(split_bytes(1024, 1024, 1024), 0u);
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
      all.emplace(typeid(Tile).name(), takes_packs<Tile>(boundary, length, boundary, length));
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
  const auto by_fma = both_of<Fma64x64, Fma32x32>();
  EXPECT_EQ((met<float, false>()), by_fma);
  EXPECT_EQ((met<double, false>()), by_fma);
  const auto by_mma = both_of<Mma64x64, Mma64x32, Mma16x32, FromMemory16x16>();
  EXPECT_EQ((met<float, true>()), by_mma);
  EXPECT_EQ((met<double, true>()), by_mma);
}

TEST(ProductSplits, EdgeShapesHaveSome) {
  std::set<bool> aligned;
  std::size_t most = 0;
  for (const Shape& s : average_edge_shapes())
    if (s[0] > 0 && s[1] > 0 && !fused<float, true>(s) && splits_of(s[1], s[0]) > 1) {
      aligned.insert(s[1] % 4 == 0);
      most = std::max(most, splits_of(s[1], s[0]));
    }
  EXPECT_EQ(aligned, (std::set{false, true}));
  EXPECT_GE(most, 3u);
}

/// Each tile, and vectors with each number of loads, in wide tiles and in slim ones.
template <class T>
void expect_edge_shapes_meet_each_kernel() {
  using device_fused::SlimSetsTile, device_fused::WideSetsTile;
  std::set<std::string> tiles;
  std::set<int> of_wide, of_slim;
  for (const Shape& shape : average_edge_shapes())
    if (shape[0] > 0 && shape[1] > 0 && fused<T, true>(shape))
      device_fused::with_tile<T>(shape[1], shape[0], [&]<class Tile>() {
        tiles.insert(typeid(Tile).name());
        const bool slim = Tile::across == 2 && Tile::wide == 1 && shape[0] < 8000;
        (slim ? of_slim : of_wide).insert(device_fused::loads_of_a_vector(vectors_of<T>(shape)));
      });
  std::set<std::string> all;
  all.insert({typeid(WideSetsTile<T, 1>).name(), typeid(WideSetsTile<T, 2>).name(),
              typeid(WideSetsTile<T, 4>).name(), typeid(SlimSetsTile<T, 1>).name(),
              typeid(SlimSetsTile<T, 2>).name(), typeid(SlimSetsTile<T, 4>).name()});
  EXPECT_EQ(tiles, all);
  const std::set<int> all_loads{0, 1, 2, 4, device_fused::long_packs};
  EXPECT_EQ(of_wide, all_loads);
  EXPECT_EQ(of_slim, all_loads);
}

TEST(FusedSets, AreManyOfFewShortVectors) {
  EXPECT_FALSE(fused_plan::fits<float>(1199, 48, 32));
  EXPECT_TRUE(fused_plan::fits<float>(1200, 64, 63));
  EXPECT_FALSE(fused_plan::fits<float>(1200, 65, 63));
  EXPECT_FALSE(fused_plan::fits<float>(1200, 64, 64)); // vectors of 256 bytes
}

TEST(FusedSets, EdgeShapesMeetEachKernel) {
  expect_edge_shapes_meet_each_kernel<float>();
  expect_edge_shapes_meet_each_kernel<double>();
}

} // namespace
} // namespace ado::detail::device_product
