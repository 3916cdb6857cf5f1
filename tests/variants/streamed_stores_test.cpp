// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs so large that they are written past the cache: code that no edge shape reaches.
#include "variant_test.hpp"
#include <ado/host/streamed_stores.hpp>
#include <ado/transpose/detail/host.hpp>
#include <ado/vector_add/detail/host.hpp>

#include <algorithm>
#include <cstdint>

namespace ado::bench {
namespace {

using StreamedStores = VariantTest;

TEST_P(StreamedStores, TransposeIsExact) {
  if (!device().on_host) GTEST_SKIP() << "a GPU streams nothing";
  // Several strips each way. Rows of b begin and end anywhere in a cache line, or where lines do.
  const std::size_t bytes = size_of(type());
  struct Case {
    Shape shape;
    Placement placement;
  };
  for (const Case& c : {Case{{5001 / bytes, 4099, 1}, {.padding = 1, .offset = 3}},
                        Case{{4992 / bytes, 4099, 1}, {}}}) {
    HostData data(problem(c.shape), c.placement);
    data.make(DataKind::hash, 5);
    Workbench bench(device(), data, 1);
    with_element(bytes, [&](auto zero) {
      using E = decltype(zero);
      ASSERT_TRUE(
          host_tile::may_stream(Matrices<E>{c.shape[0], c.shape[1], nullptr, 0, nullptr, 0}));
    });
    expect_right_twice(bench, 0);
  }
}

ADO_FOR_VARIANTS(StreamedStores, is_transpose_of_a_size);

using StreamedSums = VariantTest;

TEST_P(StreamedSums, AreExact) {
  if (!device().on_host) GTEST_SKIP() << "a GPU streams nothing";
  // c begins and ends inside a cache line, not aligned to 16 bytes.
  const Shape shape{streamed_bytes / size_of(type()) + 9, 1, 1};
  HostData data(problem(shape), Placement{.offset = 3});
  data.make(DataKind::uniform, 5);
  Workbench bench(device(), data, 1);
  const std::size_t bytes = shape[0] * size_of(type());
  ASSERT_TRUE(host_add::may_stream(Vectors<std::uint8_t>{bytes, nullptr, nullptr, nullptr}));
  expect_right_twice(bench, 1);
}

ADO_FOR_VARIANTS(StreamedSums, [](const VariantCase& c) {
  return c.variant->algorithm == "vector_add" && has_many_ways(c);
});

using StreamedMeans = VariantTest;

TEST_P(StreamedMeans, AreWithinTheBound) {
  if (!device().on_host) GTEST_SKIP() << "a GPU streams nothing";
  // mean begins and ends inside a cache line; sets with and without gaps.
  const std::size_t rows = streamed_bytes / size_of(type()) + 9;
  struct Case {
    Shape shape;
    std::size_t padding;
  };
  for (const auto& [shape, padding] : {Case{{1, rows, 1}, 0}, Case{{rows / 3 + 1, 3, 2}, 1}}) {
    HostData data(problem(shape),
                  Placement{.padding = padding, .offset = 3, .set_padding = padding});
    data.make(DataKind::uniform, 5);
    Workbench bench(device(), data, 1);
    bench.prepare(variant(), 0, 0);
    bench.run(variant(), 0);
    const Check check = bench.verify(0, variant().rounding_steps(shape, type(), {}));
    EXPECT_TRUE(check.ok) << check.first_wrong;
  }
}

ADO_FOR_VARIANTS(StreamedMeans, [](const VariantCase& c) {
  return c.variant->algorithm == "average" && has_many_ways(c);
});

using StreamedProducts = VariantTest;

TEST_P(StreamedProducts, AreWithinTheBound) {
  if (!device().on_host) GTEST_SKIP() << "a GPU streams nothing";
  // Rows of y have gaps, and begin and end inside cache lines. Some sets at a time are averaged and
  // multiplied.
  const Shape shape{streamed_bytes / size_of(type()) / 7 + 9, 7, 2};
  HostData data(problem(shape), Placement{.padding = 1, .offset = 3});
  data.make(DataKind::uniform, 5);
  Workbench bench(device(), data, 1);
  bench.reserve_workspace(variant());
  bench.prepare(variant(), 0, 0);
  bench.run(variant(), 0);
  const Check check = bench.verify(0, variant().rounding_steps(shape, type(), {}));
  EXPECT_TRUE(check.ok) << check.first_wrong;
  EXPECT_FALSE(bench.overran_workspace());
}

ADO_FOR_VARIANTS(StreamedProducts, [](const VariantCase& c) {
  return c.variant->algorithm == "average_mv" && has_many_ways(c);
});

TEST(StreamElements, WritesWhatItIsGivenAndNothingElse) {
  for (std::size_t place = 0; place < 20; ++place)
    for (std::size_t count = 0; count < 70; ++count) {
      alignas(64) std::uint32_t to[100];
      std::uint32_t from[70], expected[100];
      for (std::uint32_t k = 0; k < 70; ++k)
        from[k] = k + 1;
      std::fill_n(to, 100, 1000u);
      std::fill_n(expected, 100, 1000u);
      std::copy_n(from, count, expected + place);
      stream_elements(to + place, from, count);
      stream_fence();
      ASSERT_TRUE(std::equal(to, to + 100, expected)) << count << " elements at " << place;
    }
}

} // namespace
} // namespace ado::bench
