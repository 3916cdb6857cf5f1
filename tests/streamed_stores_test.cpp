// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A transpose so large that b is written past the cache: a path that no edge shape reaches.
#include "variant_test.hpp"
#include <ado/transpose/host_tile.hpp>

namespace ado {
namespace {

using StreamedStores = VariantTest;

TEST_P(StreamedStores, TransposeIsExact) {
  if (!device().on_host) GTEST_SKIP() << "a GPU streams nothing";
  // Rows of b end inside a tile, on 16 bytes, and lie whole cache lines apart; columns are odd.
  const std::size_t bytes = size_of(type());
  const Shape shape{8208 / bytes, 8179, 1};
  const Placement placement{.padding = 48 / bytes};
  HostData data(problem(shape), placement);
  data.make(DataKind::hash, 5);
  Workbench bench(device(), data, 1);
  const Array& b = bench.host_output(0);
  with_element(bytes, [&](auto zero) {
    using E = decltype(zero);
    ASSERT_TRUE(
        host_tile::may_stream(Matrices<E>{shape[0], shape[1], nullptr, 0, b.as<E>(), b.stride[0]}));
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

} // namespace
} // namespace ado
