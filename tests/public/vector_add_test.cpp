// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ado::vector_add as its users call it: alignments, extents, types, refusals, costs, threads.
#include "arrays.hpp"
#include "kokkos_events.hpp"
#include <ado/vector_add/vector_add.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

using namespace arrays;
using Pair = Kokkos::pair<std::size_t, std::size_t>;

/// Integers over their whole range, so that sums wrap.
template <class T>
T value(std::size_t index) {
  if constexpr (std::is_integral_v<T>) {
    const std::uint64_t bits = random_bits(index) * 0x9e3779b97f4a7c15u;
    return static_cast<T>(bits);
  } else {
    return random_value<T>(index);
  }
}

/// Wraps; `a + b` would be undefined.
template <class T>
T sum_of(T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    const std::uint64_t sum = static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b);
    return static_cast<T>(sum);
  } else {
    return a + b;
  }
}

/// A View inside a larger one, `offset` elements after its start; and its mirror on the host.
template <class T>
class Vector {
public:
  Vector(std::size_t n, std::size_t offset)
      : inside_(offset, offset + n),
        whole_("whole", n + 8),
        host_(Kokkos::create_mirror_view(whole_)) {
    Kokkos::deep_copy(host_, poison<T>());
    Kokkos::deep_copy(whole_, host_);
  }
  auto view() const { return Kokkos::subview(whole_, inside_); }
  auto const_view() const { return Kokkos::View<const T*, Memory>(view()); }
  auto host() const { return Kokkos::subview(host_, inside_); }
  void fill_random(std::size_t seed) const {
    for (std::size_t i = 0; i < host().extent(0); ++i)
      host()(i) = value<T>(seed + i);
    Kokkos::deep_copy(whole_, host_);
  }
  void fetch() const { Kokkos::deep_copy(host_, whole_); }
  bool untouched() const { return poisoned() == host_.extent(0); }
  /// Whether nothing beside the View was written. Updates host().
  bool intact_outside() const {
    fetch();
    for (std::size_t i = 0; i < host_.extent(0); ++i)
      if ((i < inside_.first || i >= inside_.second) && !is_poison(host_(i))) return false;
    return true;
  }

private:
  std::size_t poisoned() const {
    fetch();
    std::size_t count = 0;
    for (std::size_t i = 0; i < host_.extent(0); ++i)
      count += is_poison(host_(i));
    return count;
  }
  Pair inside_;
  Kokkos::View<T*, Memory> whole_;
  decltype(Kokkos::create_mirror_view(whole_)) host_;
};

/// Of c = a + b, with new operands each time: c may share the memory of one of them.
template <class T>
std::size_t wrong_sums(const Vector<T>& c, std::size_t seed_a, std::size_t seed_b) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < c.host().extent(0); ++i)
    wrong += !same_bits(c.host()(i), sum_of(value<T>(seed_a + i), value<T>(seed_b + i)));
  return wrong;
}

/// All alignments: the vectors aligned alike, and each one off the others.
template <class T>
void check_extents() {
  using Offsets = std::array<std::size_t, 3>;
  std::vector<Offsets> placements{{0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {3, 2, 1}};
  for (std::size_t offset = 0; offset < 5; ++offset)
    placements.push_back({offset, offset, offset});
  for (const std::size_t n : Extents{0, 1, 2, 3, 5, 33, 1024, 1031, 4099, 20011})
    for (const auto& [of_a, of_b, of_c] : placements) {
      SCOPED_TRACE(std::to_string(n) + " elements, offsets " + std::to_string(of_a) + ", " +
                   std::to_string(of_b) + ", " + std::to_string(of_c));
      const Vector<T> a(n, of_a), b(n, of_b), c(n, of_c);
      a.fill_random(3);
      b.fill_random(100003);
      ado::vector_add(Exec(), a.const_view(), b.view(), c.view());
      EXPECT_TRUE(c.intact_outside());
      EXPECT_EQ(wrong_sums(c, 3, 100003), 0u);
    }
}
TEST(ApiVectorAdd, Float) { check_extents<float>(); }
TEST(ApiVectorAdd, Double) { check_extents<double>(); }
TEST(ApiVectorAdd, Int) { check_extents<int>(); }
TEST(ApiVectorAdd, LongLong) { check_extents<long long>(); }
TEST(ApiVectorAdd, Unsigned) { check_extents<unsigned>(); }

TEST(ApiVectorAdd, SignedIntegersWrap) {
  const Vector<int> a(1, 0), b(1, 0), c(1, 0);
  Kokkos::deep_copy(a.view(), std::numeric_limits<int>::max());
  Kokkos::deep_copy(b.view(), 1);
  ado::vector_add(Exec(), a.view(), b.view(), c.view());
  c.fetch();
  EXPECT_EQ(c.host()(0), std::numeric_limits<int>::min());
}

TEST(ApiVectorAdd, MayBeInPlace) {
  for (const std::size_t offset : {0, 1}) {
    const Vector<double> a(10007, offset), b(10007, offset);
    a.fill_random(5);
    b.fill_random(50021);
    ado::vector_add(Exec(), a.view(), b.view(), a.view());
    EXPECT_TRUE(a.intact_outside());
    EXPECT_EQ(wrong_sums(a, 5, 50021), 0u);
    a.fill_random(5);
    ado::vector_add(Exec(), a.view(), b.view(), b.view());
    EXPECT_TRUE(b.intact_outside());
    EXPECT_EQ(wrong_sums(b, 5, 50021), 0u);
    a.fill_random(5);
    ado::vector_add(Exec(), a.view(), a.view(), a.view());
    EXPECT_TRUE(a.intact_outside());
    EXPECT_EQ(wrong_sums(a, 5, 5), 0u);
  }
}

template <class Layout>
using Contiguous = Kokkos::View<float*, Layout, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

TEST(ApiVectorAdd, AnyLayoutWhoseStrideIsOne) {
  const Vector<float> a(1031, 1), b(1031, 2), c(1031, 3);
  a.fill_random(7);
  b.fill_random(70001);
  ado::vector_add(Exec(), Contiguous<Kokkos::LayoutLeft>(a.view().data(), 1031),
                  Contiguous<Kokkos::LayoutRight>(b.view().data(), 1031),
                  Contiguous<Kokkos::LayoutStride>(c.view().data(), Kokkos::LayoutStride(1031, 1)));
  EXPECT_TRUE(c.intact_outside());
  EXPECT_EQ(wrong_sums(c, 7, 70001), 0u);
}

TEST(ApiVectorAdd, RefusesWhatDoesNotFit) {
  const Vector<float> a(8, 0), longer(9, 0), c(8, 0);
  const auto refuse = [](std::initializer_list<const char*> words, auto left, auto right,
                         auto out) {
    expect_refused(words, [&] { ado::vector_add(Exec(), left, right, out); });
  };
  refuse({"ado::vector_add", "b has shape (9)", "a of shape (8)", "extent 0 must be 8"}, a.view(),
         longer.view(), c.view());
  refuse({"ado::vector_add", "c has shape (9)", "a of shape (8)", "extent 0 must be 8"}, a.view(),
         a.view(), longer.view());
  using Strided = Contiguous<Kokkos::LayoutStride>;
  const Strided apart(c.view().data(), Kokkos::LayoutStride(4, 2));
  const Strided packed(a.view().data(), Kokkos::LayoutStride(4, 1));
  refuse({"ado::vector_add", "a of shape (4) has strides (2)", "contiguous"}, apart, packed,
         packed);
  refuse({"ado::vector_add", "b of shape (4) has strides (2)"}, packed, apart, packed);
  refuse({"ado::vector_add", "c of shape (4) has strides (2)"}, packed, packed, apart);
  for (const auto* each : {&a, &longer, &c})
    EXPECT_TRUE(each->untouched());
}

TEST(ApiVectorAdd, RefusesSizesThatWrap) {
  float memory[1] = {};
  const Contiguous<Kokkos::LayoutRight> huge(memory, std::size_t{1} << 62);
  expect_refused({"ado::vector_add: a", "4611686018427387904 x 4", "do not fit"},
                 [&] { ado::vector_add(Exec(), huge, huge, huge); });
}

TEST(ApiVectorAdd, SeveralThreadsAtOnce) {
  constexpr std::size_t count = 4, rounds = 50, n = 4099;
  const Vector<double> a(n, 1), b(n, 1);
  a.fill_random(11);
  b.fill_random(20011);
  std::vector<Vector<double>> sums;
  for (std::size_t k = 0; k < count; ++k)
    sums.emplace_back(n, 1);
  std::vector<std::thread> threads;
  for (const auto& mine : sums)
    threads.emplace_back([&a, &b, &mine] {
      for (std::size_t k = 0; k < rounds; ++k)
        ado::vector_add(Exec(), a.const_view(), b.const_view(), mine.view());
    });
  for (std::thread& thread : threads)
    thread.join();
  Kokkos::fence("all threads");
  for (const auto& each : sums) {
    EXPECT_TRUE(each.intact_outside());
    EXPECT_EQ(wrong_sums(each, 11, 20011), 0u);
  }
}

TEST(ApiVectorAdd, NeitherAllocatesNorFencesAndNamesItsKernel) {
  const Vector<float> a(5003, 0), b(5003, 0), c(5003, 0);
  const Exec exec;
  const auto call = [&] { ado::vector_add(exec, a.view(), b.view(), c.view()); };
  call(); // allocates Kokkos' own scratch
  EXPECT_EQ(kokkos_events::costs_of(call), std::vector<std::string>{});
  EXPECT_EQ(kokkos_events::names_of(call),
            (std::vector<std::string>{"region ado::vector_add", "kernel ado::vector_add[tuned]"}));
}

} // namespace
