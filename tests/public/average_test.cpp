// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ado::average as its users call it: layouts, extents, refusals, costs, threads.
#include "arrays.hpp"
#include "kokkos_events.hpp"
#include <ado/average/average.hpp>
#include <ado/average/rounding.hpp>

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
using Kokkos::LayoutStride;

/// Counts means beyond their bound; with M = 0 every mean must be NaN.
template <class T, class V, class Mean>
std::size_t wrong_means(const V& v, const Mean& mean, double steps) {
  const std::size_t count = v.extent(2);
  const double gamma = ado::detail::gamma_bound(steps, std::numeric_limits<T>::epsilon() / 2);
  std::size_t wrong = 0;
  for (std::size_t n = 0; n < v.extent(0); ++n)
    for (std::size_t l = 0; l < v.extent(1); ++l) {
      long double sum = 0, magnitude = 0;
      for (std::size_t m = 0; m < count; ++m) {
        sum += v(n, l, m);
        magnitude += std::fabs(v(n, l, m));
      }
      const double error = std::fabs(double(mean(n, l) - sum / count));
      wrong += count == 0 ? !std::isnan(mean(n, l)) : !(error <= gamma * double(magnitude / count));
    }
  return wrong;
}

template <class T, class V, class Mean>
std::size_t wrong_means(const V& v, const Mean& mean) {
  return wrong_means<T>(
      v, mean, ado::detail::average_tuned_steps<Exec, T>(v.extent(0) * v.extent(1), v.extent(2)));
}

template <class T>
void check_extents() {
  for (const std::size_t sets : Extents{0, 1, 2, 9})
    for (const std::size_t length : Extents{0, 1, 3, 34})
      for (const std::size_t count : Extents{0, 1, 7, 64, 129, 1003}) {
        SCOPED_TRACE(std::to_string(sets) + " x " + std::to_string(length) + " x " +
                     std::to_string(count));
        const Sets<T> v(sets, length, count, 23);
        const Matrix<T, LayoutRight> packed(sets, length), apart(sets, length);
        ado::average(Exec(), v.packed(), packed.view());
        ado::average(Exec(), v.apart(), apart.view());
        EXPECT_TRUE(packed.written_and_no_more());
        EXPECT_TRUE(apart.written_and_no_more());
        EXPECT_EQ(wrong_means<T>(v.host(), packed.host()), 0u);
        EXPECT_EQ(wrong_means<T>(v.host(), apart.host()), 0u);
      }
}
TEST(ApiAverage, Float) { check_extents<float>(); }
TEST(ApiAverage, Double) { check_extents<double>(); }

// LayoutLeft is accepted if it means the same as LayoutRight.
TEST(ApiAverage, LayoutLeftOfOne) {
  const Sets<float> v(7, 5, 1, 29), w(1, 5, 33, 31);
  const Kokkos::View<float***, LayoutLeft, Memory> left("left", 7, 5, 1);
  const auto host_left = Kokkos::create_mirror_view(left);
  Kokkos::deep_copy(host_left, v.host());
  Kokkos::deep_copy(left, host_left);
  const Matrix<float, LayoutRight> of_left(7, 5);
  ado::average(Exec(), left, of_left.view());
  EXPECT_TRUE(of_left.written_and_no_more());
  EXPECT_EQ(wrong_means<float>(v.host(), of_left.host()), 0u);

  const Kokkos::View<float**, LayoutLeft, Memory> row("row", 1, 5);
  ado::average(Exec(), w.packed(), row);
  EXPECT_EQ(
      wrong_means<float>(w.host(), Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), row)),
      0u);
}

template <class T, class Layout>
void check_strided() {
  for (const std::size_t sets : Extents{0, 1, 3, 130})
    for (const std::size_t length : Extents{0, 1, 5, 67})
      for (const std::size_t count : Extents{0, 1, 2, 63, 129, 1003}) {
        SCOPED_TRACE(std::to_string(sets) + " x " + std::to_string(length) + " x " +
                     std::to_string(count));
        const StridedSets<T> v(sets, length, count, 83);
        const double steps =
            std::max(ado::detail::average_strided_steps(count),
                     ado::detail::average_tuned_steps<Exec, T>(sets * length, count));
        const auto check = [&](const auto& view) {
          const Matrix<T, Layout> mean(sets, length);
          ado::average(Exec(), view, mean.view());
          EXPECT_TRUE(mean.written_and_no_more());
          EXPECT_EQ(wrong_means<T>(v.host(), mean.host(), steps), 0u);
        };
        check(v.left());
        check(v.left_apart());
        check(v.along_rows());
        check(v.contiguous());
      }
}
TEST(ApiAverage, AnyLayoutOfVFloat) { check_strided<float, LayoutRight>(); }
TEST(ApiAverage, AnyLayoutOfVDouble) { check_strided<double, LayoutRight>(); }
TEST(ApiAverage, AnyLayoutOfVFloatToLayoutLeft) { check_strided<float, LayoutLeft>(); }
TEST(ApiAverage, AnyLayoutOfVDoubleToLayoutLeft) { check_strided<double, LayoutLeft>(); }

TEST(ApiAverage, LayoutLeftNeitherAllocatesNorFencesAndNamesItsKernel) {
  const StridedSets<float> v(20, 33, 65, 43);
  const Matrix<float, LayoutLeft> mean(20, 33);
  const Exec exec;
  const auto call = [&] { ado::average(exec, v.left(), mean.view()); };
  EXPECT_EQ(kokkos_events::costs_of(call), std::vector<std::string>{});
  EXPECT_EQ(kokkos_events::names_of(call),
            (std::vector<std::string>{"region ado::average", "kernel ado::average[strided]"}));
}

TEST(ApiAverage, RefusesWhatDoesNotFit) {
  const Sets<float> v(3, 4, 5, 37);
  const Matrix<float, LayoutRight> mean(3, 4), long_sets(4, 4), long_vectors(3, 5);
  const auto refuse = [](std::initializer_list<const char*> words, auto vectors, auto out) {
    expect_refused(words, [&] { ado::average(Exec(), vectors, out); });
  };
  refuse({"ado::average", "mean has shape (4, 4)", "v of shape (3, 4, 5)", "extent 0 must be 3"},
         v.packed(), long_sets.view());
  refuse({"ado::average", "mean has shape (3, 5)", "v of shape (3, 4, 5)", "extent 1 must be 4"},
         v.packed(), long_vectors.view());
  using Strided =
      Kokkos::View<float**, LayoutStride, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  refuse({"ado::average", "mean of shape (3, 4) has strides (3, 1)", "rows overlap"}, v.packed(),
         Strided(mean.view().data(), LayoutStride(3, 3, 4, 1)));
  for (const auto* each : {&mean, &long_sets, &long_vectors})
    EXPECT_TRUE(each->untouched());
}

TEST(ApiAverage, RefusesSizesThatWrap) {
  const std::size_t huge = std::size_t{1} << 31;
  float memory[2] = {};
  const Kokkos::View<float***, LayoutRight, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> v(
      memory, huge, huge, 4);
  const Kokkos::View<float**, LayoutRight, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> mean(
      memory + 1, huge, huge);
  expect_refused({"ado::average: v", "2147483648 x 2147483648 x 4", "do not fit"},
                 [&] { ado::average(Exec(), v, mean); });
}

TEST(ApiAverage, SeveralThreadsAtOnce) {
  constexpr std::size_t count = 4, rounds = 50;
  const Sets<float> v(20, 33, 65, 41);
  std::vector<Matrix<float, LayoutRight>> means;
  for (std::size_t k = 0; k < count; ++k)
    means.emplace_back(20, 33);
  std::vector<std::thread> threads;
  for (const auto& mine : means)
    threads.emplace_back([&v, &mine] {
      for (std::size_t k = 0; k < rounds; ++k)
        ado::average(Exec(), v.packed(), mine.view());
    });
  for (std::thread& thread : threads)
    thread.join();
  Kokkos::fence("all threads");
  for (const auto& each : means) {
    EXPECT_TRUE(each.written_and_no_more());
    EXPECT_EQ(wrong_means<float>(v.host(), each.host()), 0u);
  }
}

TEST(ApiAverage, NeitherAllocatesNorFencesAndNamesItsKernel) {
  const Sets<float> v(20, 33, 65, 43);
  const Matrix<float, LayoutRight> mean(20, 33);
  const Exec exec;
  const auto call = [&] { ado::average(exec, v.apart(), mean.view()); };
  call(); // allocates Kokkos' own scratch
  EXPECT_EQ(kokkos_events::costs_of(call), std::vector<std::string>{});
  EXPECT_EQ(kokkos_events::names_of(call),
            (std::vector<std::string>{"region ado::average", kokkos_events::average_kernel<Exec>}));
}

TEST(ApiAverage, FewLongVectorsTakeAWorkspaceAndNeitherAllocateNorFence) {
  const Sets<double> v(1, 2, 300007, 47);
  const Matrix<double, LayoutRight> mean(1, 2), again(1, 2);
  const Exec exec;
  ado::Workspace<Exec> workspace(ado::average_workspace_bytes(sizeof(double)));
  const auto call = [&] { ado::average(exec, v.apart(), mean.view(), workspace); };
  call(); // allocates Kokkos' own scratch
  EXPECT_EQ(kokkos_events::costs_of(call), std::vector<std::string>{});
  EXPECT_EQ(kokkos_events::names_of(call),
            (std::vector<std::string>{"region ado::average", "kernel ado::average::pieces[team]",
                                      "kernel ado::average[team]"}));
  EXPECT_TRUE(mean.written_and_no_more());
  EXPECT_EQ(wrong_means<double>(v.host(), mean.host()), 0u);
  ado::average(exec, v.apart(), again.view());
  EXPECT_TRUE(again.written_and_no_more());
  EXPECT_EQ(again.host()(0, 1), mean.host()(0, 1));
}

} // namespace
