// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ado::average_mv as its users call it: layouts, extents, workspace, refusals, costs, threads.
#include "arrays.hpp"
#include "kokkos_events.hpp"
#include <ado/average_mv/average_mv.hpp>
#include <ado/average_mv/rounding.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace arrays;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Workspace = ado::Workspace<Exec>;

/// Counts elements of y beyond their bound; with M = 0 all must be NaN.
template <class T, class V, class A, class Y>
std::size_t wrong_elements(const V& v, const A& a, const Y& y, double steps) {
  const std::size_t length = v.extent(1), count = v.extent(2);
  const double gamma = ado::detail::gamma_bound(steps, std::numeric_limits<T>::epsilon() / 2);
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < v.extent(0); ++n)
    for (std::size_t i = 0; i < length; ++i) {
      long double sum = 0, magnitude = 0;
      for (std::size_t j = 0; j < length; ++j)
        for (std::size_t m = 0; m < count; ++m) {
          const long double term = static_cast<long double>(a(i, j)) * v(n, j, m) / count;
          sum += term;
          magnitude += std::fabs(term);
        }
      const double error = std::fabs(static_cast<double>(y(i, n) - sum));
      wrong += count == 0 ? !std::isnan(y(i, n)) : !(error <= gamma * double(magnitude));
    }
  return wrong;
}

template <class T, class V, class A, class Y>
std::size_t wrong_elements(const V& v, const A& a, const Y& y) {
  return wrong_elements<T>(
      v, a, y, ado::detail::average_mv_tuned_steps<Exec, T>(v.extent(0), v.extent(1), v.extent(2)));
}

template <class T, class LayoutA, class LayoutY>
void check_extents(const Extents& all_sets, const Extents& lengths, const Extents& counts) {
  Workspace workspace;
  for (const std::size_t sets : all_sets)
    for (const std::size_t length : lengths)
      for (const std::size_t count : counts) {
        SCOPED_TRACE(std::to_string(sets) + " x " + std::to_string(length) + " x " +
                     std::to_string(count));
        const Sets<T> v(sets, length, count, 47);
        const Matrix<T, LayoutA> a(length, length);
        a.fill_random(53);
        const Matrix<T, LayoutY> packed(length, sets), apart(length, sets);
        ado::average_mv(Exec(), v.packed(), a.const_view(), packed.view(), workspace);
        ado::average_mv(Exec(), v.apart(), a.view(), apart.view());
        EXPECT_TRUE(packed.written_and_no_more());
        EXPECT_TRUE(apart.written_and_no_more());
        EXPECT_EQ(wrong_elements<T>(v.host(), a.host(), packed.host()), 0u);
        EXPECT_EQ(wrong_elements<T>(v.host(), a.host(), apart.host()), 0u);
      }
}
TEST(ApiAverageMv, RightRight) {
  check_extents<float, LayoutRight, LayoutRight>({0, 1, 2, 67}, {0, 1, 3, 66}, {0, 1, 33});
}
TEST(ApiAverageMv, RightLeft) {
  check_extents<float, LayoutRight, LayoutLeft>({0, 1, 2, 67}, {0, 1, 66}, {0, 33});
}
TEST(ApiAverageMv, LeftRight) {
  check_extents<float, LayoutLeft, LayoutRight>({0, 1, 2, 67}, {0, 1, 66}, {0, 33});
}
TEST(ApiAverageMv, LeftLeft) {
  check_extents<float, LayoutLeft, LayoutLeft>({0, 1, 2, 67}, {0, 1, 66}, {0, 33});
}
TEST(ApiAverageMv, Double) {
  check_extents<double, LayoutLeft, LayoutRight>({1, 67}, {1, 66}, {1, 33});
}

/// On a GPU the warps of one team share the sum over the columns of a, or teams split it.
TEST(ApiAverageMv, FewSetsOfManyVectors) {
  check_extents<float, LayoutRight, LayoutLeft>({3, 9}, {300}, {1});
  check_extents<float, LayoutRight, LayoutLeft>({250}, {388}, {1});
  check_extents<double, LayoutLeft, LayoutRight>({65}, {1030}, {1});
}

/// On a GPU with tensor cores one kernel does both steps.
TEST(ApiAverageMv, ManySetsOfFewVectors) {
  check_extents<float, LayoutLeft, LayoutLeft>({1300}, {5}, {0, 4});
}

template <class T>
void check_strided() {
  for (const std::size_t sets : Extents{0, 1, 67})
    for (const std::size_t length : Extents{0, 1, 66})
      for (const std::size_t count : Extents{0, 1, 2, 129}) {
        SCOPED_TRACE(std::to_string(sets) + " x " + std::to_string(length) + " x " +
                     std::to_string(count));
        const StridedSets<T> v(sets, length, count, 89);
        const Matrix<T, LayoutLeft> a(length, length);
        a.fill_random(97);
        const double steps =
            std::max(ado::detail::average_strided_steps(count) +
                         ado::detail::product_tuned_steps<Exec, T>(sets, length),
                     ado::detail::average_mv_tuned_steps<Exec, T>(sets, length, count));
        const auto check = [&](const auto& view) {
          const Matrix<T, LayoutLeft> y(length, sets);
          ado::average_mv(Exec(), view, a.const_view(), y.view());
          EXPECT_TRUE(y.written_and_no_more());
          EXPECT_EQ(wrong_elements<T>(v.host(), a.host(), y.host(), steps), 0u);
        };
        check(v.left());
        check(v.left_apart());
        check(v.along_rows());
      }
}
TEST(ApiAverageMv, AnyLayoutOfVFloat) { check_strided<float>(); }
TEST(ApiAverageMv, AnyLayoutOfVDouble) { check_strided<double>(); }

TEST(ApiAverageMv, RefusesWhatDoesNotFit) {
  const Sets<float> v(3, 4, 5, 59);
  const Matrix<float, LayoutRight> a(4, 4), tall(5, 4), wide(4, 5), y(4, 3);
  a.fill_random(61);
  const auto refuse = [&v](std::initializer_list<const char*> words, auto matrix, auto out) {
    expect_refused(words, [&] { ado::average_mv(Exec(), v.packed(), matrix, out); });
  };
  refuse({"ado::average_mv", "a has shape (5, 4)", "v of shape (3, 4, 5)", "extent 0 must be 4"},
         tall.view(), y.view());
  refuse({"ado::average_mv", "a has shape (4, 5)", "v of shape (3, 4, 5)", "extent 1 must be 4"},
         wide.view(), y.view());
  refuse({"ado::average_mv", "y has shape (5, 4)", "v of shape (3, 4, 5)", "extent 0 must be 4"},
         a.view(), tall.view());
  refuse({"ado::average_mv", "y has shape (4, 5)", "v of shape (3, 4, 5)", "extent 1 must be 3"},
         a.view(), wide.view());
  using Strided =
      Kokkos::View<float**, Kokkos::LayoutStride, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const Strided a_strided(a.view().data(), Kokkos::LayoutStride(4, 8, 4, 2));
  const Strided y_strided(y.view().data(), Kokkos::LayoutStride(4, 2, 3, 1));
  refuse({"ado::average_mv", "a of shape (4, 4) has strides (8, 2)", "copy it into"}, a_strided,
         y.view());
  refuse({"ado::average_mv", "y of shape (4, 3) has strides (2, 1)", "rows overlap"}, a.view(),
         y_strided);
  for (const auto* each : {&y, &tall, &wide})
    EXPECT_TRUE(each->untouched());
}

TEST(ApiAverageMv, RefusesAWorkspaceThatIsTooSmall) {
  const Sets<float> v(3, 4, 5, 67);
  const Matrix<float, LayoutRight> a(4, 4), y(4, 3);
  a.fill_random(71);
  const Kokkos::View<double*, Memory> memory("memory", 100);
  Workspace workspace(memory.data(), 40);
  expect_refused({"ado::Workspace", "needs 16640 bytes", "holds 40"},
                 [&] { ado::average_mv(Exec(), v.packed(), a.view(), y.view(), workspace); });
  EXPECT_TRUE(y.untouched());
}

TEST(ApiAverageMv, SeveralThreadsEachWithItsWorkspace) {
  constexpr std::size_t count = 4, rounds = 30;
  std::vector<Sets<float>> v;
  std::vector<Matrix<float, LayoutLeft>> a;
  std::vector<Matrix<float, LayoutRight>> y;
  for (std::size_t k = 0; k < count; ++k) {
    v.emplace_back(20, 35, 33, 1000 * k);
    a.emplace_back(35, 35);
    a.back().fill_random(5000 * k);
    y.emplace_back(35, 20);
  }
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < count; ++k)
    threads.emplace_back([&, k] {
      Workspace workspace;
      for (std::size_t round = 0; round < rounds; ++round)
        ado::average_mv(Exec(), v[k].packed(), a[k].view(), y[k].view(), workspace);
      Exec().fence("before the workspace is freed");
    });
  for (std::thread& thread : threads)
    thread.join();
  for (std::size_t k = 0; k < count; ++k) {
    EXPECT_TRUE(y[k].written_and_no_more());
    EXPECT_EQ(wrong_elements<float>(v[k].host(), a[k].host(), y[k].host()), 0u) << k;
  }
}

template <class LayoutA>
void check_events(const std::vector<std::string>& kernels) {
  const Sets<float> v(20, 35, 33, 73);
  const Matrix<float, LayoutA> a(35, 35);
  const Matrix<float, LayoutRight> y(35, 20);
  const Exec exec;
  const std::size_t bytes =
      ado::average_mv_workspace_bytes(20, 35, sizeof(float), std::is_same_v<LayoutA, LayoutLeft>);
  const Kokkos::View<std::byte*, Memory> memory("memory", bytes);
  Workspace owner(bytes), borrower(memory.data(), bytes);
  ado::average_mv(exec, v.packed(), a.view(), y.view(), owner); // allocates Kokkos' own scratch
  const auto costs = kokkos_events::costs_of([&] {
    ado::average_mv(exec, v.packed(), a.view(), y.view(), owner);
    ado::average_mv(exec, v.apart(), a.const_view(), y.view(), borrower);
  });
  EXPECT_EQ(costs, std::vector<std::string>{});
  EXPECT_EQ(owner.bytes(), bytes);
  const auto names = kokkos_events::names_of(
      [&] { ado::average_mv(exec, v.packed(), a.view(), y.view(), owner); });
  EXPECT_EQ(names, kernels);
  const auto own =
      kokkos_events::costs_of([&] { ado::average_mv(exec, v.packed(), a.view(), y.view()); });
  ASSERT_GE(own.size(), 2u);
  EXPECT_EQ(own.front(), "allocate ado::workspace");
  EXPECT_NE(
      std::find(own.begin(), own.end(), "fence ado::average_mv: before its workspace is freed"),
      own.end());
}
TEST(ApiAverageMv, AllocatesAndFencesOnlyWithoutAWorkspace) {
  check_events<LayoutRight>({"region ado::average_mv", kokkos_events::average_kernel<Exec>,
                             "kernel ado::average_mv::product[tuned]"});
  check_events<LayoutLeft>({"region ado::average_mv", "kernel ado::transpose[tuned]",
                            kokkos_events::average_kernel<Exec>,
                            "kernel ado::average_mv::product[tuned]"});
}

} // namespace
