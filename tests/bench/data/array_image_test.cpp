// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where arrays lie: rows and sets as far apart as asked, and inside their allocation.
#include <ado/bench/data/array_image.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace ado::bench {
namespace {

const ArraySpec sets_of_rows{"v", 3, {2, 5, 10}};

TEST(ArrayImage, SetsOfPaddedRowsMayAllBeginOnBoundaries) {
  const Array array = array_in(nullptr, sets_of_rows, Type::f32, {.padding = 2});
  EXPECT_EQ(array.stride[1], 12u);
  EXPECT_EQ(array.stride[0], 5u * 12);
}

TEST(ArrayImage, SetsLieApartByWhatIsAskedFor) {
  const Array array = array_in(nullptr, sets_of_rows, Type::f32, {.padding = 2, .set_padding = 7});
  EXPECT_EQ(array.stride[1], 12u);
  EXPECT_EQ(array.stride[0], 5u * 12 + 7);
}

TEST(ArrayImage, HoldsTheLastElementAndTheGuardBehindIt) {
  for (const Placement& placement : {Placement{}, Placement{.padding = 2}, rows_apart(9),
                                     Placement{.padding = 1, .offset = 3, .set_padding = 70}}) {
    const std::size_t bytes = image_bytes(sets_of_rows, Type::f64, placement);
    std::vector<double> image(bytes / sizeof(double));
    const Array array = array_in(image.data(), sets_of_rows, Type::f64, placement);
    const double* const behind = array.as<double>() + array.stride[0] + 4 * array.stride[1] + 10;
    EXPECT_LE(behind + guard_bytes / sizeof(double), image.data() + image.size());
  }
}

} // namespace
} // namespace ado::bench
