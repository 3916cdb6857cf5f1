// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The short forms of the public functions: without an instance, and yax that returns its number.
// They give the bits of the long forms, which have their own tests, and cost what their docstrings
// say.
#include "arrays.hpp"
#include "kokkos_events.hpp"
#include <ado/ado.hpp>
#include <ado/average_mv/rounding.hpp>
#include <ado/yax/rounding.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace arrays;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Costs = std::vector<std::string>;

template <class T>
std::vector<T> numbers_of(const Kokkos::View<T, Memory>& scalar) {
  return {Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), scalar)()};
}
template <class T>
std::vector<T> numbers_of(const Kokkos::View<T*, Memory>& vector) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), vector);
  return {host.data(), host.data() + host.size()};
}
template <class T, class Layout>
std::vector<T> numbers_of(const Matrix<T, Layout>& matrix) {
  EXPECT_TRUE(matrix.written_and_no_more());
  std::vector<T> all;
  for (std::size_t i = 0; i < matrix.host().extent(0); ++i)
    for (std::size_t j = 0; j < matrix.host().extent(1); ++j)
      all.push_back(matrix.host()(i, j));
  return all;
}

/// Inputs of all functions, none square, made from a seed; matrices have this layout.
template <class T, class Layout>
struct Inputs {
  static constexpr std::size_t sets = 35, length = 66, count = 129, rows = 1030, columns = 67;
  StridedSets<T> v{sets, length, count, 11};
  Matrix<T, Layout> a{length, length}, b{rows, columns};
  Kokkos::View<T*, Memory> y{"y", rows}, z{"z", rows}, x{"x", columns};

  Inputs() {
    a.fill_random(1'000'003);
    b.fill_random(2'000'003);
    fill(y, 3'000'017);
    fill(x, 4'000'037);
    fill(z, 5'000'011);
  }
  static void fill(const Kokkos::View<T*, Memory>& vector, std::size_t seed) {
    const auto host = Kokkos::create_mirror_view(vector);
    for (std::size_t i = 0; i < host.extent(0); ++i)
      host(i) = random_value<T>(seed + i);
    Kokkos::deep_copy(vector, host);
  }
};

template <class T, class Layout>
void check_without_an_instance() {
  using In = Inputs<T, Layout>;
  const In in;
  const Exec exec;
  const Matrix<T, Layout> mean(In::sets, In::length), short_mean(In::sets, In::length);
  ado::average(exec, in.v.left(), mean.view());
  ado::average(in.v.left(), short_mean.view());
  EXPECT_EQ(numbers_of(short_mean), numbers_of(mean));

  const Matrix<T, Layout> y(In::length, In::sets), short_y(In::length, In::sets);
  ado::average_mv(exec, in.v.left(), in.a.const_view(), y.view());
  ado::average_mv(in.v.left(), in.a.const_view(), short_y.view());
  EXPECT_EQ(numbers_of(short_y), numbers_of(y));

  const Matrix<T, Layout> turned(In::columns, In::rows), short_turned(In::columns, In::rows);
  ado::transpose(exec, in.b.const_view(), turned.view());
  ado::transpose(in.b.const_view(), short_turned.view());
  EXPECT_EQ(numbers_of(short_turned), numbers_of(turned));

  const Kokkos::View<T*, Memory> sum("sum", In::rows), short_sum("sum", In::rows);
  ado::vector_add(exec, in.y, in.z, sum);
  ado::vector_add(in.y, in.z, short_sum);
  EXPECT_EQ(numbers_of(short_sum), numbers_of(sum));

  const Kokkos::View<T, Memory> number("number"), short_number("number");
  ado::yax(exec, in.y, in.b.const_view(), in.x, number);
  ado::yax(in.y, in.b.const_view(), in.x, short_number);
  EXPECT_EQ(numbers_of(short_number), numbers_of(number));
  EXPECT_NE(numbers_of(number)[0], T(0));
}
TEST(ApiWithoutAnInstance, GivesTheSameBits) {
  check_without_an_instance<float, LayoutRight>();
  check_without_an_instance<float, LayoutLeft>();
  check_without_an_instance<double, LayoutRight>();
  check_without_an_instance<double, LayoutLeft>();
}

TEST(ApiWithoutAnInstance, NeitherAllocatesNorFencesWhereTheLongFormDoesNot) {
  const Inputs<float, LayoutRight> in;
  const Matrix<float, LayoutRight> mean(35, 66), turned(67, 1030);
  const Kokkos::View<float*, Memory> sum("sum", 1030);
  const auto call = [&] {
    ado::average(in.v.contiguous(), mean.view());
    ado::transpose(in.b.const_view(), turned.view());
    ado::vector_add(in.y, in.z, sum);
  };
  call(); // allocates Kokkos' own scratch
  EXPECT_EQ(kokkos_events::costs_of(call), Costs{});
}

/// Stands for a View in the memory of this space.
template <class Space>
using In = Kokkos::View<float**, Space>;
using HostExec = Kokkos::DefaultHostExecutionSpace;
static_assert(std::is_same_v<decltype(ado::detail::default_instance<In<Exec>>()), Exec>);
static_assert(std::is_same_v<decltype(ado::detail::default_instance<In<HostExec>>()), HostExec>);

template <class T, class Layout>
void check_value() {
  for (const std::size_t rows : Extents{0, 1, 33, 1031})
    for (const std::size_t columns : Extents{0, 1, 129, 1025}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      const Matrix<T, Layout> a(rows, columns);
      a.fill_random(131);
      const Kokkos::View<T*, Memory> y("y", rows), x("x", columns);
      Inputs<T, Layout>::fill(y, 137);
      Inputs<T, Layout>::fill(x, 139);
      const Kokkos::View<T, Memory> result("result");
      const Exec exec;
      ado::yax(exec, y, a.const_view(), x, result);
      const auto value = ado::yax(exec, Kokkos::View<const T*, Memory>(y), a.const_view(), x);
      static_assert(std::is_same_v<decltype(value), const T>);
      EXPECT_EQ(value, numbers_of(result)[0]);
      EXPECT_EQ(ado::yax(y, a.view(), x), value);
    }
}
TEST(ApiYaxValue, IsThatOfTheResultView) {
  check_value<float, LayoutRight>();
  check_value<float, LayoutLeft>();
  check_value<double, LayoutRight>();
  check_value<double, LayoutLeft>();
}

TEST(ApiYaxValue, AllocatesOnceAndWaitsForItsInstanceAlone) {
  const Inputs<double, LayoutRight> in;
  const Exec exec;
  const auto call = [&] { return ado::yax(exec, in.y, in.b.const_view(), in.x); };
  call(); // allocates Kokkos' own scratch
  const Costs costs = kokkos_events::costs_of(call);
  const std::string wait = "fence ado::yax: before its value is returned";
  ASSERT_GE(costs.size(), 2u);
  EXPECT_EQ(std::count_if(costs.begin(), costs.end(),
                          [](const std::string& cost) { return cost.starts_with("allocate"); }),
            1);
  EXPECT_EQ(std::count(costs.begin(), costs.end(), wait), 1);
}

TEST(ApiYaxValue, RefusesWhatDoesNotFit) {
  const Matrix<double, LayoutRight> a(4, 6);
  const Kokkos::View<double*, Memory> four("four", 4), five("five", 5), six("six", 6);
  expect_refused({"ado::yax", "y has shape (5)", "a of shape (4, 6)", "extent 0 must be 4"},
                 [&] { ado::yax(five, a.view(), six); });
  expect_refused({"ado::yax", "x has shape (5)", "a of shape (4, 6)", "extent 0 must be 6"},
                 [&] { ado::yax(Exec(), four, a.view(), five); });
}

// The bounds in docstrings hold for the roundings that rounding.hpp counts.
TEST(ApiAccuracy, DocstringsBoundTheRoundings) {
  std::mt19937_64 random(20);
  std::uniform_real_distribution<double> large(0, 22), small(0, 14);
  const auto draw = [&](auto& exponent) {
    return static_cast<std::size_t>(std::exp2(exponent(random)));
  };
  for (int k = 0; k < 20000; ++k) {
    const std::size_t rows = draw(large), columns = draw(large), length = draw(small);
    const auto r = static_cast<double>(rows), c = static_cast<double>(columns);
    const auto l = static_cast<double>(length);
    const auto check = [&]<class T>(T) {
      EXPECT_LE((ado::detail::average_tuned_steps<Exec, T>(rows, columns)), c + 48);
      EXPECT_LE(ado::detail::average_strided_steps(columns), c + 48);
      EXPECT_LE((ado::detail::average_mv_tuned_steps<Exec, T>(rows, length, columns)),
                c + 2 * l + 64);
      EXPECT_LE((ado::detail::yax_tuned_steps<Exec, T>(rows, columns)), r + c + 64);
    };
    check(0.0f);
    check(0.0);
  }
}

} // namespace
