// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variant that is spared work still sees every length.
#include "variant_test.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace ado::bench {
namespace {

std::set<std::pair<std::size_t, std::size_t>> lengths_of(const std::vector<Shape>& shapes) {
  std::set<std::pair<std::size_t, std::size_t>> all;
  for (const Shape& shape : shapes)
    if (shape[0] > 0) all.emplace(shape[1], shape[2]);
  return all;
}

TEST(EdgeShapes, WhoIsSparedSetsHasEachLength) {
  std::size_t spared = 0;
  for (const Variant& variant : variants()) {
    SCOPED_TRACE(std::string(variant.algorithm) + "/" + std::string(variant.name));
    const std::vector<Shape> all = find_algorithm(variant.algorithm)->edge_shapes(),
                             own = edge_shapes_of(variant);
    if (variant.algorithm != "average_mv" || has_many_ways({&variant, Type::f64})) {
      EXPECT_EQ(own, all);
      continue;
    }
    spared += own != all ? 1 : 0;
    EXPECT_EQ(lengths_of(own), lengths_of(all));
    EXPECT_EQ(own.front()[0], 0u);
    if (variant.name != "one_block") continue;
    std::size_t rows = 0; // each is a sweep with its barriers, one after the other
    for (const Shape& shape : own)
      rows += shape[0] * shape[1];
    EXPECT_LE(rows, 250000u) << "of one block";
  }
  EXPECT_GE(spared, 2u);
}

} // namespace
} // namespace ado::bench
