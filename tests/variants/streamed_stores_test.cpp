// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Outputs so large that they are written past the cache: a path that no edge shape reaches.
#include "variant_test.hpp"
#include <ado/transpose/detail/host.hpp>
#include <ado/vector_add/detail/host.hpp>

namespace ado {
namespace {

using StreamedStores = VariantTest;

TEST_P(StreamedStores, TransposeIsExact) {
  if (!device().on_host) GTEST_SKIP() << "a GPU streams nothing";
  // Several strips each way. Rows of b begin and end anywhere in a cache line.
  const std::size_t bytes = size_of(type());
  const Shape shape{5001 / bytes, 4099, 1};
  const Placement placement{.padding = 1, .offset = 3};
  HostData data(problem(shape), placement);
  data.make(DataKind::hash, 5);
  Workbench bench(device(), data, 1);
  with_element(bytes, [&](auto zero) {
    using E = decltype(zero);
    ASSERT_TRUE(host_tile::may_stream(Matrices<E>{shape[0], shape[1], nullptr, 0, nullptr, 0}));
  });
  for (const unsigned turn : {0u, 1u}) {
    bench.prepare(variant(), 0, turn);
    bench.run(variant(), 0);
    const Check check = bench.verify(0, 0);
    EXPECT_TRUE(check.ok) << check.first_wrong;
  }
}

/// One type of each size: others are moved as that one is.
bool may_stream(const VariantCase& c) {
  return c.variant->algorithm == "transpose" && c.variant->name == "team" &&
         (!info(c.type).floating || c.type == Type::c128);
}
ADO_FOR_VARIANTS(StreamedStores, may_stream);

using StreamedSums = VariantTest;

TEST_P(StreamedSums, AreExact) {
  if (!device().on_host) GTEST_SKIP() << "a GPU streams nothing";
  // c begins and ends inside a cache line, on no boundary of 16 bytes.
  const Shape shape{streamed_bytes / size_of(type()) + 9, 1, 1};
  HostData data(problem(shape), {.offset = 3});
  data.make(DataKind::uniform, 5);
  Workbench bench(device(), data, 1);
  const std::size_t bytes = shape[0] * size_of(type());
  ASSERT_TRUE(host_add::may_stream(Vectors<std::uint8_t>{bytes, nullptr, nullptr, nullptr}));
  for (const unsigned turn : {0u, 1u}) {
    bench.prepare(variant(), 0, turn);
    bench.run(variant(), 0);
    const Check check = bench.verify(0, 1);
    EXPECT_TRUE(check.ok) << check.first_wrong;
  }
}

ADO_FOR_VARIANTS(StreamedSums, [](const VariantCase& c) {
  return c.variant->algorithm == "vector_add" && c.variant->name == "team";
});

} // namespace
} // namespace ado
