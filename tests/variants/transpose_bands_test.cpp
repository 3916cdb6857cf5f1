// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CPU transposes whose outputs stay in cache: threads share them in bands, which they take tile by
// tile.
#include "variant_test.hpp"
#include <ado/transpose/detail/plan_host.hpp>

#include <cstdint>

namespace ado::bench {
namespace {

using TransposeBands = VariantTest;

TEST_P(TransposeBands, AreExact) {
  if (!device().on_host) GTEST_SKIP() << "a GPU has no bands";
  const std::size_t bytes = size_of(type());
  // Cut tiles, rows whole KiB apart, shared rows of a and of b; too thin for blocks, both ways.
  for (const Shape& shape :
       {Shape{203, 301, 1}, Shape{4096 / bytes, 157, 1}, Shape{70001, 33, 1}, Shape{67, 5003, 1},
        Shape{3001, 16 / bytes - 1, 1}, Shape{1, 2999, 1}, Shape{3001, 3, 1}, Shape{3, 3001, 1},
        Shape{7, 3001, 1}, Shape{32 / bytes - 1, 3001, 1}})
    for (const std::size_t padding : {0, 3}) {
      if (shape[1] == 0) continue;
      HostData data(problem(shape), Placement{.padding = padding, .offset = padding});
      data.make(DataKind::hash, 5);
      Workbench bench(device(), data, 1);
      SCOPED_TRACE(text_of(shape, data.placements()));
      expect_right_twice(bench, 0);
    }
}

ADO_FOR_VARIANTS(TransposeBands, is_transpose_of_a_size);

TEST(Bands, GiveEveryElementToOneThread) {
  using E = std::uint16_t;
  for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{16, 8},
                                      {17, 9},
                                      {100, 100},
                                      {40000, 20},
                                      {5, 70},
                                      {70, 5},
                                      {1, 1},
                                      {999, 1000}})
    for (const std::size_t threads : {1, 2, 3, 7, 64}) {
      const Matrices<E> m{rows, columns, nullptr, columns, nullptr, rows};
      const host_tile::Bands bands = host_tile::Bands::of(m, threads);
      std::size_t elements = 0;
      for (std::size_t k = 0; k < bands.count(); ++k) {
        const host_tile::Part part = bands.part(m, k);
        elements += part.height * part.width;
        ASSERT_LE(part.i + part.height, rows);
        ASSERT_LE(part.j + part.width, columns);
        if (host_tile::is_thin(m)) continue;
        ASSERT_GE(part.height, host_tile::block_rows<E>) << rows << " x " << columns;
        ASSERT_GE(part.width, host_tile::block_columns<E>) << rows << " x " << columns;
      }
      ASSERT_EQ(elements, rows * columns) << threads << " threads";
    }
}

} // namespace
} // namespace ado::bench
