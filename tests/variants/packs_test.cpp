// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The packs from which one-source kernels are built, on a host.
#include <ado/core/elements.hpp>
#include <ado/portable/packs.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace ado::one {
namespace {

template <class P>
class Packs : public testing::Test {};
using AllPacks =
    testing::Types<Pack<float, 1>, Pack<float, 4>, Pack<float, 8>, Pack<float, 16>, Pack<double, 4>,
                   Pack<double, 8>, Pack<std::uint8_t, 16>, Pack<std::uint16_t, 32>>;
TYPED_TEST_SUITE(Packs, AllPacks);

TYPED_TEST(Packs, AreLoadedAndStoredAnywhere) {
  using T = typename TypeParam::Number;
  std::array<T, 3 * TypeParam::size> from, to{};
  std::iota(from.begin(), from.end(), T(1));
  for (int place = 0; place < TypeParam::size; ++place) {
    store(to.data() + place, load<TypeParam>(from.data() + place));
    EXPECT_TRUE(
        std::equal(to.begin() + place, to.begin() + place + TypeParam::size, from.begin() + place));
    EXPECT_EQ(to[place + TypeParam::size], T(0)) << "behind the pack";
    to = {};
  }
}

TYPED_TEST(Packs, AreAddedSlotBySlot) {
  using T = typename TypeParam::Number;
  TypeParam a{}, b = TypeParam::of(T(3));
  for (int k = 0; k < TypeParam::size; ++k)
    a.set(k, T(k + 2));
  a += a * b;
  T sum = 0;
  for (int k = 0; k < TypeParam::size; ++k) {
    EXPECT_EQ(a.get(k), T(4 * (k + 2)));
    sum += a.get(k);
  }
  EXPECT_EQ(sum_of_slots(a), sum);
}

/// Bit for bit: a row's result must not depend on whether it was summed alone.
template <class P, int rows>
void expect_same_sums() {
  using T = typename P::Number;
  std::array<T, std::size_t(rows) * P::size> from;
  for (std::size_t k = 0; k < from.size(); ++k)
    from[k] = static_cast<T>(100 + std::sin(1 + 3 * static_cast<double>(k)) * 97);
  P packs[rows];
  for (int r = 0; r < rows; ++r)
    packs[r] = load<P>(from.data() + r * P::size);
  const auto sums = sums_of_slots(packs);
  for (int r = 0; r < rows; ++r)
    EXPECT_EQ(sums.get(r), sum_of_slots(packs[r])) << r;
}
TYPED_TEST(Packs, AreAddedUpTogetherAsAlone) {
  expect_same_sums<TypeParam, 1>();
  expect_same_sums<TypeParam, 2>();
  expect_same_sums<TypeParam, 4>();
}

TEST(Pack, OfMinusZeroKeepsItsSign) { EXPECT_TRUE(std::signbit(Pack<float, 8>::of(-0.0f).get(5))); }

/// They are only moved, and stay in registers as words.
TEST(Pack, HasElementsThatAreNoNumbers) {
  using detail::Element16;
  std::array<Element16, 5> from, to{};
  for (std::uint64_t k = 0; k < from.size(); ++k)
    from[k] = {k, 100 + k};
  auto pack = one::load<Pack<Element16, 4>>(from.data() + 1);
  for (int k = 0; k < 4; ++k)
    EXPECT_EQ(pack.get(k), from[std::size_t(k) + 1]);
  pack.set(2, from[0]);
  one::store(to.data(), pack);
  EXPECT_EQ(to, (std::array<Element16, 5>{from[1], from[2], from[0], from[4]}));
}

TEST(WithPack, TakesTheWidestThatFitsTheRows) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  constexpr int most = Constants<Host>::pack_bytes / sizeof(float);
  for (const std::size_t count : {0, 1, most - 1, most, 1000})
    with_pack<Host, float>(
        count, false, [&](auto pack) { EXPECT_EQ(pack.size, count < most ? 1 : most) << count; });
}

TEST(PacksOfTeam, AreAnEqualShareOfWholeLines) {
  const Kokkos::DefaultHostExecutionSpace exec;
  const std::size_t threads = static_cast<std::size_t>(exec.concurrency());
  for (const std::size_t packs : {0, 1, 1000, 1001}) {
    const std::size_t share = packs_of_team<Pack<float, 8>>(exec, packs, 4);
    EXPECT_GE(share * threads, packs);
    EXPECT_EQ(share % 2, 0u) << "half a line";
    EXPECT_LE(share, std::max<std::size_t>(4, packs / threads + 2));
  }
}

TEST(LoadRest, GivesWhatNoPackHoldsAndZerosWhateverElseIsThere) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr std::size_t size =
      Constants<Kokkos::DefaultHostExecutionSpace>::pack_bytes / sizeof(float);
  for (std::size_t n = size + 1; n < 2 * size; ++n) {
    std::array<float, 3 * size> row;
    row.fill(inf);
    for (std::size_t k = size; k < n; ++k)
      row[k] = float(k);
    const auto rest = load_rest<Pack<float, size>>(row.data(), size, n);
    EXPECT_EQ(sum_of_slots(rest), float((n - size) * (n + size - 1)) / 2);
  }
}

template <class E, int n>
void expect_turned() {
  constexpr int high = Constants<Kokkos::DefaultHostExecutionSpace>::rows_of_block(n), ld = n + 3;
  std::array<E, std::size_t(high) * ld> from;
  for (std::size_t k = 0; k < from.size(); ++k)
    from[k] = static_cast<E>(k * 37 + 1);
  Pack<E, high> rows[n];
  load_columns(from.data(), ld, rows);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < high; ++i)
      EXPECT_EQ(rows[j].get(i), from[std::size_t(i) * ld + j]) << i << " " << j;
}
TEST(Turn, MakesRowsOfColumns) {
  expect_turned<std::uint8_t, 16>();
  expect_turned<std::uint16_t, 8>();
  expect_turned<std::uint32_t, 4>();
  expect_turned<std::uint64_t, 2>();
}

TEST(StorePastCache, WritesWholePacks) {
  alignas(64) std::array<std::uint32_t, 32> to{};
  std::array<std::uint32_t, 16> from;
  std::iota(from.begin(), from.end(), 1u);
  store_past_cache(to.data() + 16, load<Pack<std::uint32_t, 16>>(from.data()));
  store_past_cache(to.data() + 8, load<Pack<std::uint32_t, 8>>(from.data()));
  store_past_cache(to.data() + 4, load<Pack<std::uint32_t, 4>>(from.data()));
  store_fence();
  for (const std::size_t at : {4, 8, 16})
    EXPECT_TRUE(std::equal(to.begin() + at, to.begin() + 2 * at, from.begin()));
  EXPECT_EQ(to[3], 0u);
}

} // namespace
} // namespace ado::one
