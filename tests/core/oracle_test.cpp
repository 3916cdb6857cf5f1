// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracles against answers worked out by hand, and where exactly they draw the line.
#include <ado/bench/data/data.hpp>
#include <ado/registry/registry.hpp>
#include <ado/registry/sum_oracle.hpp>
#include <ado/yax/reference.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <string>
#include <vector>

namespace ado::bench {
namespace {

template <class T>
constexpr Type type_of = sizeof(T) == 4 ? Type::f32 : Type::f64;

/// A problem with its answer: packed arrays, the output last.
template <class T>
struct Solved {
  std::string_view algorithm;
  Shape shape;
  std::vector<std::vector<T>> arrays;

  /// The oracle's verdict on `output`.
  Check check(std::vector<T> output, double steps) {
    const Algorithm& a = *find_algorithm(algorithm);
    const std::vector<ArraySpec> specs = a.arrays(shape);
    std::vector<Array> inputs;
    for (std::size_t k = 0; k + 1 < specs.size(); ++k)
      inputs.push_back(packed_array(arrays[k].data(), specs[k].extent));
    const auto oracle = a.oracle(type_of<T>, shape, inputs);
    return oracle->check(packed_array(output.data(), specs.back().extent), steps);
  }
  const std::vector<T>& answer() const { return arrays.back(); }
};

template <class T>
Solved<T> solved_average() {
  return {"average",
          {2, 3, 4},
          {{1, 2, 3, 4,  0.5, -1.5, 8, 1, 1, 2,  4,  -5,  // set 0
            1, 1, 1, -3, 1,   0,    0, 0, 7, -1, -1, -1}, // set 1
           {T(5) / 2, 2, T(1) / 2, 0, T(1) / 4, 1}}};
}

/// Means (3/2, 1, 2) and (1/2, 2, -1).
template <class T>
Solved<T> solved_average_mv() {
  return {"average_mv",
          {2, 3, 2},
          {{1, 2, -1, 3, 4, 0, 0, 1, 2, 2, -3, 1},
           {1, 2, 3, 4, 5, 6, 0, -1, 2},
           {T(19) / 2, T(3) / 2, 23, 6, 3, -4}}};
}

/// A x = (-4, -11/2).
template <class T>
Solved<T> solved_yax() {
  return {"yax", {2, 3, 1}, {{2, -1}, {1, 2, 3, 4, 5, 6}, {1, 0.5, -2}, {T(-5) / 2}}};
}

/// f(p) = 4 p. Chunk 0 has 17 elements 0 to 16 times 1/2, so 4 * (0 + ... + 15) / 2 and 4 * 16 / 2;
/// chunk 1 has the negatives times 3.
template <class T>
Solved<T> solved_pipeline() {
  std::vector<T> raw;
  for (const int sign : {1, -1})
    for (int i = 0; i < 17; ++i)
      raw.push_back(static_cast<T>(sign * i));
  return {"pipeline", {2, 17, 3}, {raw, {T(1) / 2, 3}, {240, 32, -1440, -192}}};
}

template <class T>
class OracleOf : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(OracleOf, Reals);

TYPED_TEST(OracleOf, AgreesWithAnswersByHandToTheBit) {
  using T = TypeParam;
  for (Solved<T> solved :
       {solved_average<T>(), solved_average_mv<T>(), solved_pipeline<T>(), solved_yax<T>()}) {
    SCOPED_TRACE(solved.algorithm);
    const Check right = solved.check(solved.answer(), 0);
    EXPECT_TRUE(right.ok) << right.first_wrong;
    EXPECT_EQ(right.max_error, 0);
    for (std::size_t k = 0; k < solved.answer().size(); ++k) {
      std::vector<T> output = solved.answer();
      output[k] = std::nextafter(output[k], T(100));
      const Check wrong = solved.check(output, 0);
      EXPECT_FALSE(wrong.ok) << k;
      EXPECT_EQ(wrong.wrong, 1u) << k;
    }
  }
}

/// The bound is steps * u * magnitude, up to higher orders; u is half a unit in the last place of
/// 1. With 8 steps this equals `units` units in the last place of answer()[index]: so many pass,
/// one more fails.
template <class T>
void expect_line_at(Solved<T> solved, std::size_t index, int units) {
  const T answer = solved.answer()[index];
  const T unit = std::nextafter(std::fabs(answer), T(100)) - std::fabs(answer);
  for (const int sign : {-1, 1}) {
    std::vector<T> output = solved.answer();
    output[index] = answer + static_cast<T>(sign * units) * unit;
    const Check inside = solved.check(output, 8);
    EXPECT_TRUE(inside.ok) << inside.first_wrong;
    EXPECT_NEAR(inside.worst_bound_share, 1, 1e-5);
    EXPECT_EQ(inside.max_error, units * static_cast<double>(unit));
    output[index] = answer + static_cast<T>(sign * (units + 1)) * unit;
    const Check outside = solved.check(output, 8);
    EXPECT_FALSE(outside.ok);
    EXPECT_EQ(outside.wrong, 1u);
    EXPECT_GT(outside.worst_bound_share, 1);
  }
}

TYPED_TEST(OracleOf, RejectsOneUnitBeyondTheBound) {
  using T = TypeParam;
  // |v| averages to 5/2; a unit of 5/2 is 4 u: 8 * 5/2 / 4 = 5.
  expect_line_at(solved_average<T>(), 0, 5);
  // (1, 2, 3) . (1/2, 2, 2) = 21/2 in absolute values; a unit of 3/2 is 2 u: 8 * 21/2 / 2 = 42.
  expect_line_at(solved_average_mv<T>(), 1, 42);
  // A unit of 240 is 2^8 u, and of 32 it is 2^6 u: 8 * 240 / 2^8 = 7 1/2, 8 * 32 / 2^6 = 4.
  expect_line_at(solved_pipeline<T>(), 1, 4);
  // 2 * (1 + 1 + 6) + (4 + 5/2 + 12) = 69/2; a unit of 5/2 is 4 u: 8 * 69/2 / 4 = 69.
  expect_line_at(solved_yax<T>(), 0, 69);
}

/// The exact sum 1 + u may round to 1 or 1 + 2u, but not to their other neighbours. A double would
/// only hold 1.
TEST(Oracle, KnowsTheSumBetweenTwoDoubles) {
  constexpr double u = 0x1p-53;
  const SumOracle oracle(Type::f64,
                         {{.value = 1, .tail = u, .magnitude = 1 + u, .largest_partial = 2}}, 2);
  for (const auto& [number, right] :
       {std::pair(1 - u, false), {1.0, true}, {1 + 2 * u, true}, {1 + 4 * u, false}}) {
    double got = number;
    EXPECT_EQ(oracle.check({&got, {1, 1, 1}, {1, 1, 1}}, 1).ok, right) << (number - 1) / u;
  }
}

TYPED_TEST(OracleOf, SaysWhereAndWhat) {
  Solved<TypeParam> solved = solved_average_mv<TypeParam>();
  std::vector<TypeParam> output = solved.answer();
  output[3] = 7; // y[1][1], which is 6
  output[5] = 0; // y[2][1]
  const Check check = solved.check(output, 8);
  EXPECT_EQ(check.wrong, 2u);
  EXPECT_EQ(check.first_wrong.rfind("[1][1] is 7, should be 6 within ", 0), 0u)
      << check.first_wrong;
  EXPECT_EQ(check.max_error, 4);
}

TYPED_TEST(OracleOf, NonFiniteResultsMustBeTheRightOnes) {
  using T = TypeParam;
  constexpr T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  constexpr T largest = std::numeric_limits<T>::max();
  struct Case {
    T added, expected;
    std::vector<T> wrong;
  };
  for (const Case& c :
       {Case{inf, inf, {-inf, nan, largest, 0}}, Case{-inf, -inf, {inf, nan, -largest}},
        Case{nan, nan, {inf, -inf, 0}}, Case{4, T(13) / 4, {inf, -inf, nan}}}) {
    SCOPED_TRACE(c.added);
    Solved<T> solved = solved_average<T>();
    solved.arrays[0][0] = c.added; // was 1: the mean of (added, 2, 3, 4)
    std::vector<T> output = solved.answer();
    output[0] = c.expected;
    EXPECT_TRUE(solved.check(output, 8).ok);
    for (const T wrong : c.wrong) {
      output[0] = wrong;
      EXPECT_FALSE(solved.check(output, 8).ok) << wrong;
    }
  }
}

TEST(Oracle, AllowsOverflowOnlyWherePartialSumsCanReachIt) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  Solved<float> solved{"average", {1, 1, 4}, {{3e38f, -3e38f, 3e38f, -3e38f}, {0}}};
  EXPECT_TRUE(solved.check({0}, 8).ok);
  EXPECT_TRUE(solved.check({inf}, 8).ok) << "3e38 + 3e38, added first, is infinite in f32";
  solved.arrays[0] = {8e37f, -8e37f, 8e37f, -8e37f};
  EXPECT_FALSE(solved.check({inf}, 8).ok) << "no order of these can overflow";
  Solved<float> product{"average_mv", {1, 1, 4}, {{8e37f, -8e37f, 8e37f, -8e37f}, {1}, {0}}};
  EXPECT_FALSE(product.check({inf}, 8).ok) << "nor of these";
}

/// What is likely depends on the squares of the terms, which are y[i] a[i][j] x[j] in yax.
TEST(Oracle, TermsOfYaxAreProductsOfThree) {
  double a[] = {1, -2}, x[] = {5, 7}, y[] = {-3};
  const OracleSum<double> row =
      reference_row_dot<double>(packed_array(a, {1, 2, 1}), packed_array(x, {2, 1, 1}), 0);
  EXPECT_EQ(row.squares, 25 + 196);
  OracleSum<double> total;
  reference_add_row(total, packed_array(y, {1, 1, 1}), 0, row);
  EXPECT_EQ(total.squares, 9 * (25 + 196));
  EXPECT_EQ(total.magnitude, 3 * (5 + 14));
}

template <class E>
void expect_transposed(Type type, const std::vector<E>& a, const std::vector<E>& b) {
  SCOPED_TRACE(name_of(type));
  std::vector<E> input = a, output = b;
  const auto oracle =
      find_algorithm("transpose")->oracle(type, {2, 3, 1}, {packed_array(input.data(), {2, 3, 1})});
  EXPECT_TRUE(oracle->check(packed_array(output.data(), {3, 2, 1}), 0).ok);
  for (std::size_t k = 0; k < b.size(); ++k)
    for (std::size_t byte = 0; byte < sizeof(E); ++byte) {
      output = b;
      reinterpret_cast<unsigned char*>(&output[k])[byte] ^= 1;
      const Check check = oracle->check(packed_array(output.data(), {3, 2, 1}), 1000);
      EXPECT_FALSE(check.ok) << "element " << k << ", byte " << byte;
      EXPECT_EQ(check.wrong, 1u);
    }
}

TEST(Oracle, TransposeByHandForEveryType) {
  using Half = std::complex<float>;
  using Whole = std::complex<double>;
  expect_transposed<std::int8_t>(Type::i8, {1, 2, 3, -4, 5, 6}, {1, -4, 2, 5, 3, 6});
  expect_transposed<std::int16_t>(Type::i16, {1, 2, 3, -4, 5, 6}, {1, -4, 2, 5, 3, 6});
  expect_transposed<std::int32_t>(Type::i32, {1, 2, 3, -4, 5, 6}, {1, -4, 2, 5, 3, 6});
  expect_transposed<std::int64_t>(Type::i64, {1, 2, 3, -4, 5, 6}, {1, -4, 2, 5, 3, 6});
  expect_transposed<float>(Type::f32, {1, 2, 3, -4, 5, 6}, {1, -4, 2, 5, 3, 6});
  expect_transposed<double>(Type::f64, {1, 2, 3, -4, 5, 6}, {1, -4, 2, 5, 3, 6});
  expect_transposed<Half>(Type::c64, {{1, 9}, {2, 8}, {3, 7}, {-4, 6}, {5, 5}, {6, 4}},
                          {{1, 9}, {-4, 6}, {2, 8}, {5, 5}, {3, 7}, {6, 4}});
  expect_transposed<Whole>(Type::c128, {{1, 9}, {2, 8}, {3, 7}, {-4, 6}, {5, 5}, {6, 4}},
                           {{1, 9}, {-4, 6}, {2, 8}, {5, 5}, {3, 7}, {6, 4}});
}

/// Whether b passes as the transpose of a, with this number of roundings.
bool accepts(float a, float b, double rounding_steps) {
  std::vector<float> input{a, 3}, output{b, 3};
  const auto oracle = find_algorithm("transpose")
                          ->oracle(Type::f32, {1, 2, 1}, {packed_array(input.data(), {1, 2, 1})});
  return oracle->check(packed_array(output.data(), {2, 1, 1}), rounding_steps).ok;
}

TEST(Oracle, TransposeByALibraryThatMultipliesKeepsNumbersNotPayloads) {
  const float nan = std::nanf("1"), other_nan = std::nanf("2");
  EXPECT_TRUE(accepts(nan, nan, 0));
  EXPECT_FALSE(accepts(nan, other_nan, 0)) << "who only moves bits keeps the payload";
  EXPECT_TRUE(accepts(nan, other_nan, 1));
  EXPECT_FALSE(accepts(nan, 1, 1));
  EXPECT_FALSE(accepts(1, nan, 1));
  EXPECT_FALSE(accepts(1, std::nextafter(1.0f, 2.0f), 1)) << "one times a number is exact";
}

/// The oracle's verdict on c = a + b, after a first element that is right.
template <class T>
Check check_sum(Type type, T a, T b, T c) {
  std::vector<T> left{1, a}, right{2, b}, sum{3, c};
  const auto oracle =
      find_algorithm("vector_add")
          ->oracle(type, {2, 1, 1},
                   {packed_array(left.data(), {2, 1, 1}), packed_array(right.data(), {2, 1, 1})});
  return oracle->check(packed_array(sum.data(), {2, 1, 1}), 1);
}

TEST(Oracle, VectorAddHasOneRightAnswer) {
  constexpr double third = 1.0 / 3, seventh = 1.0 / 7,
                   inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(check_sum(Type::f64, third, seventh, third + seventh).ok);
  for (const double to : {-inf, inf})
    EXPECT_FALSE(check_sum(Type::f64, third, seventh, std::nextafter(third + seventh, to)).ok);
  EXPECT_FALSE(
      check_sum(Type::f32, 1 / 3.0f, 1 / 7.0f, std::nextafter(1 / 3.0f + 1 / 7.0f, 1.0f)).ok);
  EXPECT_TRUE(check_sum(Type::f32, -0.0f, -0.0f, -0.0f).ok);
  EXPECT_FALSE(check_sum(Type::f32, -0.0f, -0.0f, 0.0f).ok) << "the sign of zero is data too";
  EXPECT_TRUE(check_sum(Type::f64, inf, 1.0, inf).ok);
  EXPECT_FALSE(check_sum(Type::f64, inf, 1.0, std::nan("")).ok);
}

TEST(Oracle, VectorAddTakesAnyNaNForNaN) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(check_sum(Type::f32, std::nanf("1"), 1.0f, std::nanf("2")).ok);
  EXPECT_TRUE(check_sum(Type::f32, inf, -inf, -std::nanf("3")).ok);
  EXPECT_FALSE(check_sum(Type::f32, std::nanf("1"), 1.0f, 1.0f).ok);
  EXPECT_FALSE(check_sum(Type::f32, inf, -inf, 0.0f).ok);
}

TEST(Oracle, VectorAddWraps) {
  constexpr auto most = std::numeric_limits<std::int32_t>::max();
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  EXPECT_TRUE(check_sum<std::int32_t>(Type::i32, most, 2, -most).ok);
  EXPECT_TRUE(check_sum<std::int64_t>(Type::i64, least, least, 0).ok);
  const Check wrong = check_sum<std::int32_t>(Type::i32, most, 2, most);
  EXPECT_FALSE(wrong.ok);
  EXPECT_EQ(wrong.wrong, 1u);
  EXPECT_EQ(wrong.first_wrong, "c[1] is 2147483647, should be -2147483647");
  EXPECT_EQ(check_sum<std::int64_t>(Type::i64, least, -1, least).first_wrong,
            "c[1] is -9223372036854775808, should be 9223372036854775807");
}

TEST(Oracle, EmptySums) {
  Solved<double> mean{"average", {1, 1, 0}, {{}, {0}}};
  EXPECT_TRUE(mean.check({std::nan("")}, 1).ok) << "0 / 0";
  EXPECT_FALSE(mean.check({0}, 1).ok);
  Solved<double> form{"yax", {2, 0, 1}, {{1, 2}, {}, {}, {0}}};
  EXPECT_TRUE(form.check({0}, 0).ok);
  EXPECT_FALSE(form.check({std::numeric_limits<double>::denorm_min()}, 0).ok);
}

/// The mean of 2^25 ones and twos, where the sum stopped at 2^24, and worse.
TEST(SumOracle, WhatRoundingsAreNotLikelyToDoIsTold) {
  const double count = 0x1p25, sum = 1.5 * count;
  const SumOracle oracle(Type::f32, {{1.5, 0, sum / count, sum}}, count);
  const auto check = [&](float got, double steps) {
    return oracle.check(packed_array(&got, {1, 1, 1}), steps);
  };
  EXPECT_TRUE(check(1.0f, count).ok);
  EXPECT_EQ(check(1.0f, count).unlikely.rfind("[0][0] is 1, should be 1.5 within 0.00", 0), 0u)
      << check(1.0f, count).unlikely;
  EXPECT_FLOAT_EQ(check(1.0f, count).max_error, 0.5);
  EXPECT_EQ(check(1.5f, count).unlikely, "");
  EXPECT_EQ(check(1.5f, 30).unlikely, "");
  EXPECT_NE(check(1.5f, 0x1p44).unlikely, "") << "so many may lose every digit";
  EXPECT_FALSE(check(1.0f, 0x1p21).ok) << "a third off";
  EXPECT_FALSE(check(100.0f, count).ok) << "no order of summation gives that";
  for (const float planted : {std::nanf(""), HUGE_VALF, -HUGE_VALF})
    for (const double steps : {count, 0x1p40})
      EXPECT_FALSE(check(planted, steps).ok) << planted << ", " << steps;
}

/// Ten thousand terms of about 1, of either sign.
TEST(SumOracle, WhatIsLikelyDependsOnTheData) {
  constexpr double count = 1e4;
  const std::vector<Expected> expected{{0.5, 0, count, count, std::sqrt(count)}};
  const auto unlikely = [&](double error, bool random, Roundings roundings) {
    auto got = static_cast<float>(0.5 + error);
    Tolerance tolerance = count;
    tolerance.random_data = random;
    const Check check = SumOracle(Type::f32, expected, count, roundings)
                            .check(packed_array(&got, {1, 1, 1}), tolerance);
    EXPECT_TRUE(check.ok) << "the bound is 6";
    return !check.unlikely.empty();
  };
  EXPECT_FALSE(unlikely(0.01, true, Roundings::independent));
  EXPECT_TRUE(unlikely(0.1, true, Roundings::independent));
  EXPECT_FALSE(unlikely(0.1, false, Roundings::independent))
      << "partial sums may be as large as 1e4";
  EXPECT_TRUE(unlikely(1, false, Roundings::independent));
  EXPECT_FALSE(unlikely(1, false, Roundings::alike));
  EXPECT_FALSE(unlikely(5, true, Roundings::alike));
}

/// The rounding of x * y is not lost: it leaves 2^-60 of (1 + 2^-30)^2.
TEST(OracleSumTest, AProductOfThreeIsTakenWide) {
  const double x = 1 + 0x1p-30;
  OracleSum<double> sum;
  sum.add_product(x, x, 3);
  sum.add(-3);
  sum.add(-3 * 0x1p-29);
  EXPECT_EQ(sum.sum.high(), 3 * 0x1p-60);
  EXPECT_EQ(sum.sum.low(), 0);
}

} // namespace
} // namespace ado::bench
