// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NaN and infinity are data: they reach exactly the outputs to which IEEE arithmetic carries them.
// A kernel that pads with zeros and lets 0 * inf = NaN escape fails here.
#include "variant_test.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <set>

namespace ado::bench {
namespace {

/// Whole tiles, and tiles cut on both sides; for a vector, whole packs and teams, and more.
std::vector<Shape> shapes_of(const Algorithm& algorithm) {
  if (algorithm.sizes.size() == 3) return {{3, 5, 32}, {2, 33, 65}, {70, 67, 5}};
  if (algorithm.sizes.size() == 1) return {{1, 1, 1}, {64, 1, 1}, {1031, 1, 1}, {4099, 1, 1}};
  return {{16, 16, 1}, {33, 65, 1}, {65, 64, 1}, {3, 4099, 1}};
}

/// Where tiles and vectors begin and end, along an extent of `n`.
std::set<std::size_t> places_along(std::size_t n) {
  std::set<std::size_t> places;
  for (const std::size_t place : {std::size_t(0), std::size_t(15), std::size_t(32), n - 1})
    if (place < n) places.insert(place);
  return places;
}

/// Corners of tiles: each index of the array in turn at such a place, the others at random.
std::vector<Extents> places_in(const Extents& extent) {
  std::vector<Extents> places;
  for (const std::size_t i : places_along(extent[0]))
    for (const std::size_t j : places_along(extent[1]))
      for (const std::size_t k : places_along(extent[2]))
        if (extent[2] == 1 || j == 0 || i == 0 || k + 1 == extent[2]) places.push_back({i, j, k});
  return places;
}

template <class T>
T& element(const Array& array, const Extents& at) {
  return array.as<T>()[at[0] * array.stride[0] + at[1] * array.stride[1] + at[2] * array.stride[2]];
}

class NonFinite : public VariantTest {
protected:
  /// Runs the variant on the current `data` and compares with the oracle.
  void verify(const HostData& data) {
    Workbench bench(device(), data, 1);
    bench.reserve_workspace(variant());
    bench.prepare(variant(), 0, 0);
    bench.run(variant(), 0);
    const Check check =
        bench.verify(0, variant().rounding_steps(data.problem().shape, data.problem().type, {}));
    EXPECT_TRUE(check.ok) << check.first_wrong;
  }
};

TEST_P(NonFinite, OneInAnInputReachesItsOutputsOnly) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  for (const Shape& shape : shapes_of(algorithm())) {
    HostData data(problem(shape), rows_apart(3));
    for (std::size_t input = 0; input < data.input_count(); ++input)
      for (const Extents& at : places_in(data.specs()[input].extent))
        for (const double value : {std::numeric_limits<double>::quiet_NaN(), inf, -inf}) {
          SCOPED_TRACE(text_of(shape, data.placements()) + ": " +
                       std::string(data.specs()[input].name) + "[" + std::to_string(at[0]) + "][" +
                       std::to_string(at[1]) + "][" + std::to_string(at[2]) +
                       "] = " + std::to_string(value));
          data.make(DataKind::uniform, 3);
          with_real_type(type(), [&](auto zero) {
            using T = decltype(zero);
            element<T>(data.input(input), at) = static_cast<T>(value);
          });
          verify(data);
          if (HasFailure()) return;
        }
  }
}

/// inf - inf, and 0 * inf in every input; for vector_add, inf - inf in the last element.
TEST_P(NonFinite, InvalidOperationsGiveNaN) {
  for (const Shape& shape : shapes_of(algorithm()))
    with_real_type(type(), [&](auto zero) {
      using T = decltype(zero);
      SCOPED_TRACE(text_of(shape, {}));
      constexpr T inf = std::numeric_limits<T>::infinity();
      HostData data(problem(shape));
      data.make(DataKind::uniform, 3);
      for (std::size_t input = 0; input < data.input_count(); ++input) {
        const Array& array = data.input(input);
        const Extents last{array.extent[0] - 1, array.extent[1] - 1, array.extent[2] - 1};
        element<T>(array, {0, 0, 0}) = 0;
        element<T>(array, last) = -inf;
        element<T>(array, {last[0], 0, last[2]}) = input % 2 == 0 ? inf : -inf;
      }
      verify(data);
    });
}

bool has_real_type(const VariantCase& c) { return real_types.contains(c.type); }
ADO_FOR_VARIANTS(NonFinite, has_real_type);

using InfiniteFactor = NonFinite;

/// Kernels may cut long rows into pieces, here of both signs; an infinite factor applies to the
/// whole row.
TEST_P(InfiniteFactor, MeetsTheWholeRow) {
  HostData data(problem({3, 140001, 1}));
  data.make(DataKind::uniform, 5);
  const Array &y = data.input(0), &a = data.input(1), &x = data.input(2);
  with_real_type(type(), [&](auto zero) {
    using T = decltype(zero);
    y.as<T>()[1] = std::numeric_limits<T>::infinity();
    T* const row = a.as<T>() + a.stride[0];
    std::fill_n(x.as<T>(), x.extent[0], T(1));
    std::fill_n(row, a.extent[1], T(2));
    std::fill_n(row, a.extent[1] / 2, T(-1));
  });
  verify(data);
}

ADO_FOR_VARIANTS(InfiniteFactor,
                 [](const VariantCase& c) { return c.variant->algorithm == "yax"; });

using MovedNaN = NonFinite;

TEST_P(MovedNaN, KeepsItsPayload) {
  HostData data(problem({33, 65, 1}), Placement{.padding = 1, .offset = 1});
  data.make(DataKind::uniform, 3);
  // Quiet and signalling, of both signs, each with its own payload; for a double these are halves.
  auto* words = static_cast<std::uint32_t*>(data.image(0));
  for (std::size_t k = 0; k < data.image_bytes(0) / 4; k += 3)
    words[k] = (k % 2 == 0 ? 0x7f800001u : 0xffc00001u) + static_cast<std::uint32_t>(k);
  verify(data);
}

bool moves_floating(const VariantCase& c) {
  return c.variant->algorithm == "transpose" && info(c.type).floating &&
         c.variant->rounding_steps({33, 65, 1}, c.type, {}) == 0;
}
ADO_FOR_VARIANTS(MovedNaN, moves_floating);

} // namespace
} // namespace ado::bench
