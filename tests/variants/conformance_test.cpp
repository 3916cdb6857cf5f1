// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every variant, type and edge shape, in aligned, misaligned and padded arrays, against the oracle.
#include "variant_test.hpp"

namespace ado::bench {
namespace {

constexpr Placement packed{}, misaligned{.offset = 1},
    odd{.padding = 7, .offset = 3, .set_padding = 7};
/// Gaps between rows, but each row is still aligned for vectors.
constexpr Placement apart = rows_apart(16);
/// All rows start at the same distance from a cache line: tiles are shifted.
constexpr Placement shifted{.offset = 8};
/// Input rows without gaps may be read as one.
const Placements outputs_apart({}, {.padding = 5});

class Conformance : public VariantTest {
protected:
  /// Verifies the variant on one kind of data, with each poison, so that no element passes by being
  /// equal to it.
  void verify(const Shape& shape, const Placements& placements, DataKind kind) {
    SCOPED_TRACE(text_of(shape, placements) + ", " + std::string(name_of(kind)));
    HostData data(problem(shape), placements);
    data.make(kind, 7);
    Workbench bench(device(), data, 1);
    bench.reserve_workspace(variant());
    for (const unsigned turn : {0u, 1u}) {
      bench.prepare(variant(), 0, turn);
      bench.run(variant(), 0);
      const Check check = bench.verify(0, variant().rounding_steps(shape, type(), {}));
      EXPECT_TRUE(check.ok) << check.wrong << " wrong, the first: " << check.first_wrong;
      EXPECT_EQ(check.unlikely, "");
      EXPECT_EQ(bench.changed_input(), "") << "this input was changed";
      EXPECT_FALSE(bench.overran_workspace()) << "memory behind the workspace was overwritten";
    }
  }
};

TEST_P(Conformance, WithinTheBound) {
  for (const Shape& shape : edge_shapes()) {
    // Large shapes are there for the tiles of a GPU, which copies each placement in another way.
    const bool each = !device().on_host || shape[0] * shape[1] * shape[2] <= 1 << 18;
    for (const Placement& placement : {packed, odd})
      verify(shape, placement, DataKind::uniform);
    if (each)
      for (const Placements& placements :
           {Placements(misaligned), Placements(apart), Placements(shifted), outputs_apart})
        verify(shape, placements, DataKind::uniform);
    verify(shape, odd, DataKind::hash);
    if (HasFailure()) return; // one shape's messages are enough
  }
}

TEST_P(Conformance, NothingIsLeftOut) {
  for (const Shape& shape : edge_shapes()) {
    for (const Placement& placement : {packed, odd}) {
      SCOPED_TRACE(text_of(shape, placement));
      const Seen seen = WitnessBench(device(), problem(shape), false, placement).see(variant(), {});
      EXPECT_EQ(seen.failure, "");
      EXPECT_EQ(seen.not_seen, "");
    }
    if (HasFailure()) return;
  }
}

ADO_FOR_VARIANTS(Conformance);

} // namespace
} // namespace ado::bench
