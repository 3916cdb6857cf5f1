// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each device lane's share of a sum: together the lanes take every element once, however few there
// are.
#include <ado/portable/sum.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace ado::detail {
namespace {

/// Records which elements were taken; each element's value is its index.
template <class T>
struct Counts {
  std::vector<int>* times;
  T operator()(T value, std::size_t j) const {
    (*times)[j] += value == T(j);
    return 0;
  }
  T operator()(const Pack<T>& pack, std::size_t j) const {
    for (std::size_t k = 0; k < std::size_t{Pack<T>::size}; ++k)
      (*this)(pack.lane[k], j + k);
    return 0;
  }
};

/// Not inline: if the compiler knew the row's size, it would warn of loops that do not run.
template <class T, int lanes>
[[gnu::noinline]] void take_share(int lane, const T* row, bool wide, std::vector<int>& times) {
  lane_share<lanes>(lane, row, times.size(), wide, Counts<T>{&times});
}

template <class T, int lanes>
void expect_each_once(std::size_t most) {
  std::vector<Pack<T>> row(most / Pack<T>::size + 1);
  for (std::size_t j = 0; j < most; ++j)
    row[j / Pack<T>::size].lane[j % Pack<T>::size] = T(j);
  for (const bool wide : {false, true})
    for (std::size_t n = 0; n <= most; ++n) {
      std::vector<int> times(n);
      for (int lane = 0; lane < lanes; ++lane)
        take_share<T, lanes>(lane, row[0].lane, wide, times);
      EXPECT_EQ(times, std::vector<int>(n, 1)) << n << " by " << lanes << (wide ? ", wide" : "");
    }
}

template <class T>
void expect_each_once() {
  expect_each_once<T, 1>(300);
  expect_each_once<T, 4>(600);
  expect_each_once<T, 16>(1100);
  expect_each_once<T, 32>(2200);
  expect_each_once<T, device_team_threads>(1100);
}

TEST(LaneShare, FloatsAreTakenOnce) { expect_each_once<float>(); }
TEST(LaneShare, DoublesAreTakenOnce) { expect_each_once<double>(); }

} // namespace
} // namespace ado::detail
