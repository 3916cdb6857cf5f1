// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ado::transpose as its users call it: layouts, extents, refusals, costs, threads.
#include "arrays.hpp"
#include "kokkos_events.hpp"
#include <ado/transpose/transpose.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace arrays;
using Kokkos::LayoutLeft;
using Kokkos::LayoutRight;
using Kokkos::LayoutStride;
template <class T>
using Strided = Kokkos::View<T**, LayoutStride, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class A, class B>
std::size_t wrong_elements(const A& a, const B& b) {
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < a.extent(0); ++i)
    for (std::size_t j = 0; j < a.extent(1); ++j)
      wrong += !same_bits(a(i, j), b(j, i));
  return wrong;
}

/// Every pair of these extents, from one layout to the other; nothing beside b may change.
template <class T, class LayoutA, class LayoutB>
void check_extents(const Extents& extents = {0, 1, 2, 5, 33, 70, 259}) {
  for (const std::size_t rows : extents)
    for (const std::size_t columns : extents) {
      SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(columns));
      const Matrix<T, LayoutA> a(rows, columns);
      const Matrix<T, LayoutB> b(columns, rows);
      a.fill_random(17);
      ado::transpose(Exec(), a.const_view(), b.view());
      EXPECT_TRUE(b.written_and_no_more());
      EXPECT_EQ(wrong_elements(a.host(), b.host()), 0u);
    }
}
TEST(ApiTranspose, RightToRight) { check_extents<int, LayoutRight, LayoutRight>(); }
TEST(ApiTranspose, RightToLeft) { check_extents<int, LayoutRight, LayoutLeft>(); }
TEST(ApiTranspose, LeftToRight) { check_extents<int, LayoutLeft, LayoutRight>(); }
TEST(ApiTranspose, LeftToLeft) { check_extents<int, LayoutLeft, LayoutLeft>(); }

struct alignas(2) Pixel {
  std::uint8_t r, g;
};
/// Elements of this type, all bytes random, between packed managed Views.
template <class T, class LayoutB>
void check_element() {
  const Kokkos::View<T**, LayoutRight, Memory> a("a", 267, 131);
  const Kokkos::View<T**, LayoutB, Memory> b("b", 131, 267);
  const auto host_a = Kokkos::create_mirror_view(a);
  const auto host_b = Kokkos::create_mirror_view(b);
  std::vector<std::uint32_t> bits(a.size() * sizeof(T) / 4 + 1);
  for (std::size_t k = 0; k < bits.size(); ++k)
    bits[k] = random_bits(k);
  std::memcpy(static_cast<void*>(host_a.data()), bits.data(), a.size() * sizeof(T));
  Kokkos::deep_copy(a, host_a);
  ado::transpose(Exec(), a, b);
  Kokkos::deep_copy(host_b, b);
  EXPECT_EQ(wrong_elements(host_a, host_b), 0u) << sizeof(T) << " bytes";
}
template <class LayoutB>
void check_elements() {
  check_element<char, LayoutB>();
  check_element<Pixel, LayoutB>();
  check_element<float, LayoutB>(); // NaNs and their payloads too, because the bits are random
  check_element<double, LayoutB>();
  check_element<Kokkos::complex<double>, LayoutB>();
}
TEST(ApiTranspose, EveryElementSize) { check_elements<LayoutRight>(); }
TEST(ApiTranspose, EveryElementSizeCopied) { check_elements<LayoutLeft>(); }

struct Quad {
  float value[4];
};
struct Bytes {
  std::uint8_t value[2];
};

/// Elements that start `offset_a` and `offset_b` times `alignment` bytes after a 64-byte boundary.
template <class T, class LayoutB, std::size_t alignment = alignof(T)>
void check_loose(std::size_t rows, std::size_t columns, std::size_t offset_a,
                 std::size_t offset_b) {
  SCOPED_TRACE(std::to_string(sizeof(T)) + " bytes, offsets " + std::to_string(offset_a) + " and " +
               std::to_string(offset_b));
  using Buffer = Kokkos::View<unsigned char*, Memory>;
  constexpr std::size_t border = 64;
  const std::size_t bytes = rows * columns * sizeof(T);
  const Buffer buffer_a("a", bytes + border), buffer_b("b", bytes + border);
  const auto host_a = Kokkos::create_mirror_view(buffer_a);
  const auto host_b = Kokkos::create_mirror_view(buffer_b);
  for (std::size_t k = 0; k < host_a.size(); ++k) {
    host_a(k) = static_cast<unsigned char>(random_bits(k));
    host_b(k) = static_cast<unsigned char>(random_bits(k + 7919));
  }
  Kokkos::deep_copy(buffer_a, host_a);
  Kokkos::deep_copy(buffer_b, host_b);
  const std::size_t start_a = offset_a * alignment, start_b = offset_b * alignment;
  const auto at = [](const auto& buffer, std::size_t start) {
    return reinterpret_cast<T*>(buffer.data() + start);
  };
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  ado::transpose(
      Exec(),
      Kokkos::View<const T**, LayoutRight, Memory, Unmanaged>(at(buffer_a, start_a), rows, columns),
      Kokkos::View<T**, LayoutB, Memory, Unmanaged>(at(buffer_b, start_b), columns, rows));
  Kokkos::deep_copy(host_b, buffer_b);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t to = std::is_same_v<LayoutB, LayoutRight> ? j * rows + i : i * columns + j;
      wrong += std::memcmp(host_a.data() + start_a + (i * columns + j) * sizeof(T),
                           host_b.data() + start_b + to * sizeof(T), sizeof(T)) != 0;
    }
  for (std::size_t k = 0; k < host_b.size(); ++k)
    if (k < start_b || k >= start_b + bytes)
      wrong += host_b(k) != static_cast<unsigned char>(random_bits(k + 7919));
  EXPECT_EQ(wrong, 0u);
}

template <class T, std::size_t alignment = alignof(T)>
void check_loose_element() {
  for (const auto& [a, b] : {std::pair(0, 0), std::pair(1, 0), std::pair(0, 1), std::pair(3, 1)}) {
    check_loose<T, LayoutRight, alignment>(67, 131, a, b);
    check_loose<T, LayoutLeft, alignment>(67, 131, a, b);
    // Large enough for wide accesses.
    check_loose<T, LayoutRight, alignment>(640, 516, a, b);
  }
}
TEST(ApiTranspose, ComplexOfTheStandardLibraryAlignedAsItIs) {
  static_assert(alignof(std::complex<float>) == 4);
  check_loose_element<std::complex<float>>();
  check_loose_element<std::complex<double>>();
}
TEST(ApiTranspose, ComplexOfKokkosInMemoryOfTheStandardLibrarys) {
  using Single = Kokkos::complex<float>;
  using Double = Kokkos::complex<double>;
  static_assert(alignof(Single) == 8 && alignof(Double) == 16);
  check_loose_element<Single, alignof(std::complex<float>)>();
  check_loose_element<Double, alignof(std::complex<double>)>();
  using E = ado::detail::ElementOf<Single>::type;
  static_assert(ado::detail::least_alignment<Single> < alignof(E)); // or a GPU faults
  static_assert(ado::detail::least_alignment<Double> == alignof(ado::detail::Element16));
}
// So large that a host streams whole cache lines, but rows do not start at one.
TEST(ApiTranspose, LargeComplexOffItsBoundary) {
  check_loose<std::complex<double>, LayoutRight>(2048, 2052, 0, 1);
}
TEST(ApiTranspose, ElementsAlignedToLessThanTheirSize) {
  check_loose_element<Quad>();
  check_loose_element<Bytes>();
}

void check_large(std::size_t rows, std::size_t columns) {
  const Kokkos::View<int**, LayoutRight, Memory> a("a", rows, columns), b("b", columns, rows);
  const auto host_a = Kokkos::create_mirror_view(a), host_b = Kokkos::create_mirror_view(b);
  for (std::size_t k = 0; k < a.size(); ++k)
    host_a.data()[k] = static_cast<int>(random_bits(k));
  Kokkos::deep_copy(a, host_a);
  ado::transpose(Exec(), a, b);
  Kokkos::deep_copy(host_b, b);
  EXPECT_EQ(wrong_elements(host_a, host_b), 0u);
}
// A host writes such results past the cache.
TEST(ApiTranspose, LargeMatrix) { check_large(4096, 4099); }
// Views start 128 bytes after a boundary of 256: on a device tiles are shifted.
TEST(ApiTranspose, LargeMatrixOffItsBoundary) { check_large(4160, 4224); }

// Rows of a and b alternate in one allocation: they interleave and do not overlap.
TEST(ApiTranspose, InterleavedViewsOfOneAllocation) {
  const std::size_t n = 37;
  const Kokkos::View<int*, Memory> memory("memory", 2 * n * n);
  const auto host = Kokkos::create_mirror_view(memory);
  for (const bool b_by_columns : {false, true}) {
    for (std::size_t k = 0; k < 2 * n * n; ++k)
      host(k) = static_cast<int>(random_bits(k));
    Kokkos::deep_copy(memory, host);
    const LayoutStride rows(n, 2 * n, n, 1), columns(n, 1, n, 2 * n);
    ado::transpose(Exec(), Strided<const int>(memory.data(), rows),
                   Strided<int>(memory.data() + n, b_by_columns ? columns : rows));
    Kokkos::deep_copy(host, memory);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        const int want = static_cast<int>(random_bits(i * 2 * n + j));
        wrong += host(i * 2 * n + j) != want;
        wrong += host(n + (b_by_columns ? i * 2 * n + j : j * 2 * n + i)) != want;
      }
    EXPECT_EQ(wrong, 0u) << b_by_columns;
  }
}

// A View of any layout type is accepted if its rows or columns are contiguous.
TEST(ApiTranspose, StridesThatAreNoLayout) {
  const Matrix<int, LayoutRight> a(1, 7), b(7, 1);
  a.fill_random(3);
  // One column of elements with gaps; and one such row.
  const Strided<const int> column(a.view().data(), LayoutStride(1, 100, 7, 1));
  const Strided<int> apart(b.view().data(), LayoutStride(7, b.view().stride(0), 1, 99));
  ado::transpose(Exec(), column, apart);
  EXPECT_TRUE(b.written_and_no_more());
  EXPECT_EQ(wrong_elements(a.host(), b.host()), 0u);
}

TEST(ApiTranspose, RefusesWhatDoesNotFit) {
  const Matrix<int, LayoutRight> a(4, 6), b(6, 5), c(5, 4);
  const auto refuse = [](std::initializer_list<const char*> words, auto from, auto to) {
    expect_refused(words, [&] { ado::transpose(Exec(), from, to); });
  };
  refuse({"ado::transpose", "b has shape (6, 5)", "a of shape (4, 6)", "extent 1 must be 4"},
         a.view(), b.view());
  refuse({"ado::transpose", "b has shape (5, 4)", "a of shape (4, 6)", "extent 0 must be 6"},
         a.view(), c.view());
  const Matrix<int, LayoutRight> square(5, 5);
  refuse({"ado::transpose", "b is the memory of a"}, square.const_view(), square.view());
  EXPECT_TRUE(square.untouched());
  EXPECT_TRUE(b.untouched());
  EXPECT_TRUE(c.untouched());
}

TEST(ApiTranspose, RefusesStridesItCannotExpress) {
  const Matrix<int, LayoutRight> a(4, 4), b(4, 4);
  const auto strided = [](const auto& matrix, std::size_t s0, std::size_t s1) {
    return Strided<int>(matrix.view().data() - 3, LayoutStride(3, s0, 3, s1));
  };
  const auto refuse = [&](std::initializer_list<const char*> words, std::size_t s0,
                          std::size_t s1) {
    expect_refused(words, [&] { ado::transpose(Exec(), strided(a, 3, 1), strided(b, s0, s1)); });
    EXPECT_TRUE(b.untouched());
  };
  refuse({"ado::transpose", "b of shape (3, 3) has strides (6, 2)", "copy it into"}, 6, 2);
  refuse({"ado::transpose", "b of shape (3, 3) has strides (2, 1)", "rows overlap"}, 2, 1);
  refuse({"ado::transpose", "b of shape (3, 3) has strides (0, 1)", "rows overlap"}, 0, 1);
  refuse({"ado::transpose", "b of shape (3, 3) has strides (1, 2)", "columns overlap"}, 1, 2);
  expect_refused({"ado::transpose", "a of shape (3, 3) has strides (6, 2)"},
                 [&] { ado::transpose(Exec(), strided(a, 6, 2), strided(b, 3, 1)); });
  EXPECT_TRUE(b.untouched());
}

TEST(ApiTranspose, RefusesSizesThatWrap) {
  const std::size_t huge = std::size_t{1} << 40;
  int memory = 0;
  const Strided<const int> a(&memory, LayoutStride(huge, huge, huge, 1));
  const Strided<int> b(&memory + 1, LayoutStride(huge, huge, huge, 1));
  expect_refused({"ado::transpose: a", "1099511627776 x 1099511627776", "do not fit"},
                 [&] { ado::transpose(Exec(), a, b); });
}

TEST(ApiTranspose, EmptyRowsTakeNoTime) {
  constexpr std::size_t many = std::size_t{1} << 60;
  const Kokkos::View<float**, LayoutRight, Memory> a("a", many, 0), b("b", 0, many);
  ado::transpose(Exec(), a, b); // row by row it would take years
  ado::transpose(Exec(), b, a);
  Exec().fence();
}

TEST(ApiTranspose, RunsOnTheInstanceGiven) {
  if (Exec().concurrency() < 2) GTEST_SKIP() << "one thread makes no two instances";
  const Matrix<int, LayoutRight> a(65, 34), b(34, 65), c(34, 65);
  a.fill_random(5);
  const std::vector<Exec> two = instances(2);
  if constexpr (ado::detail::runs_on_host<Exec>) {
    EXPECT_EQ(ado::detail::threads_of(two[0]), 1u);
    EXPECT_EQ(ado::detail::threads_of(two[1]), 2u);
  }
  ado::transpose(two[0], a.view(), b.view());
  ado::transpose(two[1], a.view(), c.view());
  two[0].fence();
  two[1].fence();
  EXPECT_TRUE(b.written_and_no_more());
  EXPECT_TRUE(c.written_and_no_more());
  EXPECT_EQ(wrong_elements(a.host(), b.host()), 0u);
  EXPECT_EQ(wrong_elements(a.host(), c.host()), 0u);
}

TEST(ApiTranspose, SeveralThreadsAtOnce) {
  constexpr std::size_t count = 4, rounds = 50;
  const Matrix<int, LayoutRight> a(130, 67);
  a.fill_random(6);
  std::vector<Matrix<int, LayoutRight>> b;
  for (std::size_t k = 0; k < count; ++k)
    b.emplace_back(67, 130);
  std::vector<std::thread> threads;
  for (const auto& mine : b)
    threads.emplace_back([&a, &mine] {
      for (std::size_t k = 0; k < rounds; ++k)
        ado::transpose(Exec(), a.const_view(), mine.view());
    });
  for (std::thread& thread : threads)
    thread.join();
  Kokkos::fence("all threads");
  for (const auto& each : b) {
    EXPECT_TRUE(each.written_and_no_more());
    EXPECT_EQ(wrong_elements(a.host(), each.host()), 0u);
  }
}

template <class LayoutA, class LayoutB>
void check_events(const char* kernel) {
  const Matrix<int, LayoutA> a(70, 90);
  const Matrix<int, LayoutB> b(90, 70);
  const Kokkos::View<int**, LayoutA, Memory> packed_a("a", 70, 90);
  const Kokkos::View<int**, LayoutB, Memory> packed_b("b", 90, 70);
  const Exec exec;
  ado::transpose(exec, a.view(), b.view()); // allocates Kokkos' own scratch
  const auto costs = kokkos_events::costs_of([&] {
    ado::transpose(exec, a.view(), b.view());
    ado::transpose(exec, packed_a, packed_b);
  });
  EXPECT_EQ(costs, std::vector<std::string>{});
  const auto names =
      kokkos_events::names_of([&] { ado::transpose(exec, a.const_view(), b.view()); });
  EXPECT_EQ(names, (std::vector<std::string>{"region ado::transpose", kernel}));
}
TEST(ApiTranspose, NeitherAllocatesNorFencesAndNamesItsKernels) {
  check_events<LayoutRight, LayoutRight>("kernel ado::transpose[tuned]");
  check_events<LayoutLeft, LayoutLeft>("kernel ado::transpose[tuned]");
  check_events<LayoutRight, LayoutLeft>("kernel ado::transpose::copy");
  check_events<LayoutLeft, LayoutRight>("kernel ado::transpose::copy");
}

} // namespace
