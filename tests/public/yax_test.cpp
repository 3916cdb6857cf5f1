// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ado::yax as its users call it: layouts, extents, workspace, refusals, costs, threads.
#include "arrays.hpp"
#include "kokkos_events.hpp"
#include <ado/yax/rounding.hpp>
#include <ado/yax/yax.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace arrays;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Workspace = ado::Workspace<Exec>;

template <class T>
class Vector {
public:
  Vector(std::size_t n, std::size_t seed)
      : device_("vector", n), host_(Kokkos::create_mirror_view(device_)) {
    for (std::size_t i = 0; i < n; ++i)
      host_(i) = random_value<T>(seed + i);
    Kokkos::deep_copy(device_, host_);
  }
  Kokkos::View<const T*, Memory> view() const { return device_; }
  const auto& host() const { return host_; }

private:
  Kokkos::View<T*, Memory> device_;
  decltype(Kokkos::create_mirror_view(device_)) host_;
};

/// A result that holds the poison until it is written.
template <class T>
struct Scalar {
  Kokkos::View<T, Memory> view{"result"};
  Scalar() { Kokkos::deep_copy(view, poison<T>()); }
  T get() const {
    T value;
    Kokkos::deep_copy(value, view);
    return value;
  }
};

template <class T, class Y, class A, class X>
bool is_right(const Y& y, const A& a, const X& x, T result, bool by_columns) {
  std::size_t rows = a.extent(0), columns = a.extent(1);
  long double sum = 0, magnitude = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const long double term = static_cast<long double>(y(i)) * a(i, j) * x(j);
      sum += term;
      magnitude += std::fabs(term);
    }
  if (by_columns) std::swap(rows, columns); // summed in the order of the transpose
  const double gamma = ado::detail::gamma_bound(
      ado::detail::yax_tuned_steps<Exec, T>(rows, columns), std::numeric_limits<T>::epsilon() / 2);
  return std::fabs(static_cast<double>(result - sum)) <= gamma * static_cast<double>(magnitude);
}

template <class T, class Layout>
void check_extents() {
  Workspace workspace;
  for (const std::size_t rows : Extents{0, 1, 2, 33, 70, 1031})
    for (const std::size_t columns : Extents{0, 1, 2, 33, 129, 1025}) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      const Matrix<T, Layout> a(rows, columns);
      a.fill_random(79);
      const Vector<T> y(rows, 83), x(columns, 89);
      const Scalar<T> with_workspace, without;
      ado::yax(Exec(), y.view(), a.const_view(), x.view(), with_workspace.view, workspace);
      ado::yax(Exec(), y.view(), a.view(), x.view(), without.view);
      Kokkos::fence("result");
      const bool left = std::is_same_v<Layout, LayoutLeft>;
      EXPECT_TRUE(is_right<T>(y.host(), a.host(), x.host(), with_workspace.get(), left));
      EXPECT_EQ(with_workspace.get(), without.get());
      if (rows == 0 || columns == 0) {
        EXPECT_EQ(without.get(), T(0));
      }
    }
}
TEST(ApiYax, FloatRight) { check_extents<float, LayoutRight>(); }
TEST(ApiYax, FloatLeft) { check_extents<float, LayoutLeft>(); }
TEST(ApiYax, DoubleRight) { check_extents<double, LayoutRight>(); }
TEST(ApiYax, DoubleLeft) { check_extents<double, LayoutLeft>(); }

// A View of any layout type is accepted if its rows or columns are contiguous.
TEST(ApiYax, StridesOfNoNamedLayout) {
  using Kokkos::LayoutStride;
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using Strided = Kokkos::View<const double**, LayoutStride, Memory, Unmanaged>;
  using StridedVector = Kokkos::View<const double*, LayoutStride, Memory, Unmanaged>;
  const std::size_t rows = 33, columns = 129;
  const Matrix<double, LayoutRight> a(rows, columns);
  a.fill_random(149);
  const Vector<double> y(rows, 151), x(columns, 157);
  const StridedVector left(y.view().data(), LayoutStride(rows, 1));
  const StridedVector right(x.view().data(), LayoutStride(columns, 1));
  const std::size_t apart = a.view().stride(0);
  const Strided by_rows(a.view().data(), LayoutStride(rows, apart, columns, 1));
  const Strided by_columns(a.view().data(), LayoutStride(columns, 1, rows, apart));
  EXPECT_TRUE(
      is_right<double>(y.host(), a.host(), x.host(), ado::yax(left, by_rows, right), false));
  // x^T a^T y is the same number, and a^T is column-major.
  EXPECT_EQ(ado::yax(right, by_columns, left), ado::yax(left, by_rows, right));
}

// More tiles than the team that sums them has threads, and tiles narrower than a row.
TEST(ApiYax, ManyTiles) {
  for (const auto& [rows, columns] : {std::pair{1, 70001}, std::pair{70001, 130}}) {
    const Matrix<double, LayoutRight> a(rows, columns);
    a.fill_random(97);
    const Vector<double> y(rows, 101), x(columns, 103);
    const Scalar<double> result;
    ado::yax(Exec(), y.view(), a.view(), x.view(), result.view);
    EXPECT_TRUE(is_right<double>(y.host(), a.host(), x.host(), result.get(), false));
  }
}

TEST(ApiYax, RefusesWhatDoesNotFit) {
  const Matrix<double, LayoutRight> a(4, 6);
  const Vector<double> four(4, 1), five(5, 2), six(6, 3);
  const Scalar<double> result;
  const auto refuse = [&](std::initializer_list<const char*> words, auto y, auto matrix, auto x) {
    expect_refused(words, [&] { ado::yax(Exec(), y, matrix, x, result.view); });
    EXPECT_TRUE(is_poison(result.get()));
  };
  refuse({"ado::yax", "y has shape (5)", "a of shape (4, 6)", "extent 0 must be 4"}, five.view(),
         a.view(), six.view());
  refuse({"ado::yax", "x has shape (5)", "a of shape (4, 6)", "extent 0 must be 6"}, four.view(),
         a.view(), five.view());
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  using Stride1 = Kokkos::View<const double*, Kokkos::LayoutStride, Memory, Unmanaged>;
  using Stride2 = Kokkos::View<double**, Kokkos::LayoutStride, Memory, Unmanaged>;
  refuse({"ado::yax", "y of shape (4) has strides (2)", "must be 1"},
         Stride1(six.view().data(), Kokkos::LayoutStride(4, 2)), a.view(), six.view());
  refuse({"ado::yax", "x of shape (6) has strides (0)", "must be 1"}, four.view(), a.view(),
         Stride1(six.view().data(), Kokkos::LayoutStride(6, 0)));
  refuse({"ado::yax", "a of shape (4, 6) has strides (12, 2)", "copy it into"}, four.view(),
         Stride2(a.view().data(), Kokkos::LayoutStride(4, 12, 6, 2)), six.view());
  refuse({"ado::yax", "a of shape (4, 6) has strides (5, 1)", "rows overlap"}, four.view(),
         Stride2(a.view().data(), Kokkos::LayoutStride(4, 5, 6, 1)), six.view());
  refuse({"ado::yax", "a of shape (4, 6) has strides (1, 3)", "columns overlap"}, four.view(),
         Stride2(a.view().data(), Kokkos::LayoutStride(4, 1, 6, 3)), six.view());
}

TEST(ApiYax, RefusesAWorkspaceThatIsTooSmall) {
  const Matrix<double, LayoutRight> a(4, 6);
  const Vector<double> four(4, 1), six(6, 3);
  const Scalar<double> result;
  Workspace workspace(a.view().data() - 2 - a.view().stride(0), 0);
  expect_refused({"ado::Workspace", "needs 24 bytes", "holds 0"}, [&] {
    ado::yax(Exec(), four.view(), a.view(), six.view(), result.view, workspace);
  });
  EXPECT_TRUE(is_poison(result.get()));
}

/// Matters on a GPU, where the last team of a call might otherwise not know that it is the last.
TEST(ApiYax, OthersMayUseTheWorkspaceBetweenCalls) {
  const Matrix<double, LayoutRight> a(1031, 129);
  a.fill_random(113);
  const Vector<double> y(1031, 127), x(129, 131);
  Workspace workspace;
  double first = 0;
  for (int call = 0; call < 6; ++call) {
    const Scalar<double> result;
    ado::yax(Exec(), y.view(), a.view(), x.view(), result.view, workspace);
    if (call == 0) first = result.get();
    EXPECT_EQ(result.get(), first) << call;
    if (call % 2 == 0)
      Kokkos::deep_copy(Kokkos::View<char*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                            workspace.as<char>(), workspace.bytes()),
                        char(call + 1));
  }
  EXPECT_TRUE(is_right<double>(y.host(), a.host(), x.host(), first, false));
}

TEST(ApiYax, SeveralThreadsEachWithItsWorkspace) {
  constexpr std::size_t count = 4, rounds = 30;
  const Matrix<float, LayoutRight> a(1031, 129);
  a.fill_random(107);
  std::vector<Vector<float>> y;
  for (std::size_t k = 0; k < count; ++k)
    y.emplace_back(1031, 2000 * k);
  const Vector<float> x(129, 109);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < count; ++k)
    threads.emplace_back([&, k] {
      Workspace workspace;
      const Scalar<float> mine;
      for (std::size_t round = 0; round < rounds; ++round)
        ado::yax(Exec(), y[k].view(), a.view(), x.view(), mine.view, workspace);
      Exec().fence("before the workspace is freed");
      EXPECT_TRUE(is_right<float>(y[k].host(), a.host(), x.host(), mine.get(), false)) << k;
    });
  for (std::thread& thread : threads)
    thread.join();
}

template <class Layout>
void check_events() {
  const Matrix<double, Layout> a(1031, 129);
  a.fill_random(113);
  const Vector<double> y(1031, 127), x(129, 131);
  const Scalar<double> result;
  const Exec exec;
  Workspace workspace(ado::yax_workspace_bytes(1031, 129, sizeof(double)));
  const std::size_t bytes = workspace.bytes();
  const auto call = [&] { ado::yax(exec, y.view(), a.view(), x.view(), result.view, workspace); };
  call(); // allocates Kokkos' own scratch
  EXPECT_EQ(kokkos_events::costs_of(call), std::vector<std::string>{});
  EXPECT_EQ(workspace.bytes(), bytes);
  const std::string kernel =
      ado::detail::runs_on_host<Exec> ? "ado::yax::tiles[tuned]" : "ado::yax[tuned]";
  const std::vector<std::string> names{"region ado::yax", "kernel " + kernel};
  EXPECT_EQ(kokkos_events::names_of(call), names);
  const auto own =
      kokkos_events::costs_of([&] { ado::yax(exec, y.view(), a.view(), x.view(), result.view); });
  ASSERT_GE(own.size(), 2u);
  EXPECT_EQ(own.front(), "allocate ado::workspace");
  EXPECT_NE(std::find(own.begin(), own.end(), "fence ado::yax: before its workspace is freed"),
            own.end());
}
/// A column-major matrix is summed as the row-major one of the other shape.
TEST(ApiYax, TheWorkspaceHoldsThePartialSumsOfEitherLayout) {
  std::mt19937_64 random(2211);
  std::uniform_real_distribution<double> exponent(0, 22);
  int differ = 0;
  for (int k = 0; k < 300; ++k) {
    const auto rows = static_cast<std::size_t>(std::exp2(exponent(random)));
    const auto columns = static_cast<std::size_t>(std::exp2(exponent(random)));
    const std::size_t bytes = ado::yax_workspace_bytes(rows, columns, sizeof(double));
    for (const bool on_host : {false, true}) {
      const std::size_t row_major =
          ado::detail::yax_tiles(on_host, rows, columns, sizeof(double)).count;
      const std::size_t column_major =
          ado::detail::yax_tiles(on_host, columns, rows, sizeof(double)).count;
      const std::size_t counter = ado::detail::counted_bytes;
      EXPECT_GE(bytes, counter + row_major * sizeof(double)) << rows << " x " << columns;
      EXPECT_GE(bytes, counter + column_major * sizeof(double)) << rows << " x " << columns;
      differ += row_major < column_major;
    }
  }
  EXPECT_GT(differ, 50);
}
TEST(ApiYax, AllocatesAndFencesOnlyWithoutAWorkspace) {
  check_events<LayoutRight>();
  check_events<LayoutLeft>();
}

} // namespace
