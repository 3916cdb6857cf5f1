// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's problem and kernels, compiled and linked with -ffast-math: the verifying code still
// handles NaN, infinities and denormal numbers. This file is built with these flags, so it gives
// expectations as bits.
#include <ado/bench/data/workbench.hpp>
#include <ado/bench/device/device.hpp>
#include <ado/registry/sum_oracle.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ado::bench {
namespace {

#ifndef __FAST_MATH__
#error "this test is nothing without -ffast-math"
#endif

constexpr std::uint64_t infinity = 0x7ff0000000000000, nan = 0x7ff8000000000000,
                        minus = 0x8000000000000000, denormal = 0x0000000100000000;

std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

volatile double one = 1; // the compiler must not know that

std::vector<ArraySpec> arrays(const Shape& s) {
  return {{"a", 2, {s[0], s[1], 1}}, {"sum", 1, {s[0], 1, 1}, true}};
}

std::unique_ptr<Oracle> oracle(Type type, const Shape& s, const std::vector<Array>& inputs) {
  const Array& a = inputs[0];
  return oracle_of_sums(type, s[0], static_cast<double>(s[1]), [a](auto& sum, std::size_t i) {
    for (std::size_t j = 0; j < a.extent[1]; ++j)
      sum.add_product(a.as<const double>()[i * a.stride[0] + j], one);
  });
}

const Algorithm sums{.name = "sums",
                     .formula = "sum[i] = 1 a[i][0] + ... + 1 a[i][n - 1]",
                     .sizes = {{"rows"}, {"cols"}},
                     .types = real_types,
                     .default_type = Type::f64,
                     .arrays = arrays,
                     .oracle = oracle};

/// The complaint about a variant that gives `result` as the sum of these numbers, all as bits;
/// empty if it is right.
std::string said_of(std::uint64_t result, const std::vector<std::uint64_t>& numbers) {
  static std::uint64_t given;
  given = result;
  const auto device = open_device({default_backend()});
  if (!device->on_host) return "skipped";
  HostData data({&sums, {1, numbers.size(), 1}, Type::f64});
  std::copy(numbers.begin(), numbers.end(), data.input(0).as<std::uint64_t>());
  Workbench bench(*device, data, 1);
  const Variant variant{
      .algorithm = "sums",
      .name = "given",
      .model = Model::openmp,
      .backend = host_backend,
      .types = real_types,
      .summary = "",
      .file = "",
      .run = [](const Call& call) { *call.arrays[1].as<std::uint64_t>() = given; },
      .rounding_steps = [](const Shape&, Type, const Launch&) { return 1.0; }};
  bench.prepare(variant, 0, 0);
  bench.run(variant, 0);
  return bench.verify(0, 1.0).first_wrong;
}

TEST(FastMath, ARightInfinityAndARightNanAreRight) {
  EXPECT_EQ(said_of(infinity, {infinity, bits(1), bits(2)}), "");
  EXPECT_EQ(said_of(infinity | minus, {bits(1), infinity | minus}), "");
  EXPECT_EQ(said_of(nan, {bits(1), nan, bits(2)}), "");
  EXPECT_EQ(said_of(nan, {infinity, infinity | minus}), "");
}

TEST(FastMath, AWrongInfinityAndALostNanAreWrong) {
  EXPECT_NE(said_of(bits(3), {bits(1), nan, bits(2)}), "");
  EXPECT_NE(said_of(nan, {bits(1), bits(2)}), "");
  EXPECT_NE(said_of(infinity, {bits(1), bits(2)}), "");
  EXPECT_NE(said_of(infinity, {bits(1), infinity | minus}), "");
  EXPECT_NE(said_of(bits(3), {infinity, bits(1), bits(2)}), "");
}

TEST(FastMath, ADenormalSumIsNotZero) {
  EXPECT_EQ(said_of(2 * denormal, {denormal, denormal}), "");
  EXPECT_NE(said_of(0, {denormal, denormal}), "");
}

TEST(FastMath, SumsHaveTwiceDoublesPrecision) {
  WideSum cancels, sum;
  for (const double x : {0x1p60, 1.0, 0x1p-40, -0x1p60})
    cancels.add(x);
  EXPECT_EQ(bits(cancels.high()), bits(1 + 0x1p-40));
  for (const double x : {1.0, 0x1p-60})
    sum.add(x);
  EXPECT_EQ(bits(sum.high()), bits(1));
  EXPECT_EQ(bits(sum.low()), bits(0x1p-60));
  WideSum product;
  product.add_product(1 + 0x1p-40, 1 + 0x1p-40);
  EXPECT_EQ(bits(product.high()), bits(1 + 0x1p-39));
  EXPECT_EQ(bits(product.low()), bits(0x1p-80));
}

} // namespace
} // namespace ado::bench
