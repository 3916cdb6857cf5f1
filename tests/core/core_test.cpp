// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that cannot wrap, type names, and differences between outputs.
#include <ado/bench/measure/measure.hpp>
#include <ado/core/checks.hpp>
#include <ado/registry/types.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <string>

namespace ado::bench {
namespace {

constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();

TEST(CheckedProduct, UpToTheLastSizeThatFits) {
  EXPECT_EQ(checked_product({3, 5, 7}, "v"), 105u);
  EXPECT_EQ(checked_product({}, "v"), 1u);
  EXPECT_EQ(checked_product({largest}, "v"), largest);
  EXPECT_EQ(checked_product({largest / 5, 5}, "v"), largest); // 2^64 - 1 is a multiple of 5
  EXPECT_EQ(checked_product({1ull << 32, 1ull << 31}, "v"), 1ull << 63);
  EXPECT_THROW(checked_product({1ull << 32, 1ull << 32}, "v"), InvalidArgument);
  EXPECT_THROW(checked_product({largest / 5 + 1, 5}, "v"), InvalidArgument);
  EXPECT_THROW(checked_product({largest, 1, largest}, "v"), InvalidArgument);
}

TEST(CheckedProduct, ZeroWinsWhereverItStands) {
  EXPECT_EQ(checked_product({0, largest, largest}, "v"), 0u);
  EXPECT_EQ(checked_product({largest, largest, 0}, "v"), 0u);
}

TEST(CheckedProduct, NamesWhatAndTheSizes) {
  try {
    checked_product({1ull << 40, 1ull << 40, 8}, "array v");
    FAIL() << "nothing was thrown";
  } catch (const InvalidArgument& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("array v: 1099511627776 x 1099511627776 x 8"), std::string::npos) << text;
  }
}

TEST(CeilDiv, NeverWraps) {
  EXPECT_EQ(ceil_div(0, 8), 0u);
  EXPECT_EQ(ceil_div(1, 8), 1u);
  EXPECT_EQ(ceil_div(8, 8), 1u);
  EXPECT_EQ(ceil_div(9, 8), 2u);
  EXPECT_EQ(ceil_div(largest, 2), largest / 2 + 1);
  EXPECT_EQ(round_up(9, 8), 16u);
  EXPECT_EQ(round_up(16, 8), 16u);
}

TEST(Types, NamesSizesAndRoundoffs) {
  for (const TypeInfo& row : type_table) {
    EXPECT_EQ(type_named(row.name), row.type);
    EXPECT_EQ(&info(row.type), &row);
    EXPECT_EQ(name_of(row.type), row.name);
  }
  EXPECT_EQ(type_named("float"), std::nullopt);
  EXPECT_EQ(type_named("F32"), std::nullopt);
  EXPECT_EQ(type_named(""), std::nullopt);
  EXPECT_EQ(size_of(Type::i8), sizeof(std::int8_t));
  EXPECT_EQ(size_of(Type::i64), sizeof(std::int64_t));
  EXPECT_EQ(size_of(Type::c64), sizeof(std::complex<float>));
  EXPECT_EQ(size_of(Type::c128), sizeof(std::complex<double>));
  EXPECT_EQ(info(Type::f32).unit_roundoff * 2, double{std::numeric_limits<float>::epsilon()});
  EXPECT_EQ(info(Type::f64).unit_roundoff * 2, std::numeric_limits<double>::epsilon());
}

TEST(Types, SetsHoldWhatIsPutIn) {
  constexpr TypeSet set{Type::i8, Type::f64};
  EXPECT_TRUE(set.contains(Type::i8) && set.contains(Type::f64));
  EXPECT_FALSE(set.contains(Type::i16) || set.contains(Type::c128));
  for (const TypeInfo& row : type_table)
    EXPECT_TRUE(all_types.contains(row.type));
}

TEST(MaxDifference, SkipsGapsAndAgreesOnNaN) {
  const double nan = std::nan("");
  double a[] = {1, 2, nan, 4, nan, 1e300}, b[] = {1, 2.5, -1e300, 7, nan, 0};
  const Array left{a, {2, 2, 1}, {3, 1, 1}}, right{b, {2, 2, 1}, {3, 1, 1}}; // a gap per row
  EXPECT_EQ(max_difference(left, right, Type::f64), 3);
  b[4] = 0;
  EXPECT_TRUE(std::isnan(max_difference(left, right, Type::f64)));
  a[0] = nan; // and larger differences behind it
  b[4] = nan;
  EXPECT_TRUE(std::isnan(max_difference(left, right, Type::f64)));
}

TEST(MaxDifference, EachOutputHasItsOwnRows) {
  double a[] = {1, 2, 3, 4}, b[] = {1, 2, 99, 99, 3, 4.25};
  const Array packed{a, {2, 2, 1}, {2, 1, 1}}, apart{b, {2, 2, 1}, {4, 1, 1}};
  EXPECT_EQ(max_difference(packed, apart, Type::f64), 0.25);
  EXPECT_EQ(max_difference(apart, packed, Type::f64), 0.25);
}

TEST(MaxDifference, ComplexNumbersDifferByTheirParts) {
  std::complex<float> a[] = {{1, 2}, {3, 4}}, b[] = {{1, 2}, {3, -1}};
  const Array left{a, {1, 2, 1}, {2, 1, 1}}, right{b, {1, 2, 1}, {2, 1, 1}};
  EXPECT_EQ(max_difference(left, right, Type::c64), 5);
}

} // namespace
} // namespace ado::bench
