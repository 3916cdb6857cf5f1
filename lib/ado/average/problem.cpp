// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/average/problem.hpp>
#include <ado/average/reference.hpp>
#include <ado/core/bound.hpp>
#include <ado/registry/registry.hpp>
#include <ado/registry/sum_oracle.hpp>

namespace ado::bench {
namespace {

std::vector<ArraySpec> arrays(const Shape& s) {
  return {{"v", 3, {s[0], s[1], s[2]}}, {"mean", 2, {s[0], s[1], 1}, true}};
}

/// A division per mean is not counted.
double flops(const Shape& s, Type) { return double(s[0]) * double(s[1]) * double(s[2]); }

template <class T>
std::vector<Expected> expected_means(const Array& v) {
  const std::size_t lengths = v.extent[1];
  const auto count = static_cast<double>(v.extent[2]);
  std::vector<Expected> expected(v.extent[0] * lengths);
#pragma omp parallel for
  for (std::size_t row = 0; row < expected.size(); ++row) {
    const OracleSum<T> sum = reference_row_sum<T>(v, row / lengths, row % lengths);
    expected[row] = expected_quotient(sum, count, sum.magnitude);
  }
  return expected;
}

std::unique_ptr<Oracle> oracle(Type type, const Shape& shape, const std::vector<Array>& inputs) {
  auto expected =
      with_real_type(type, [&](auto zero) { return expected_means<decltype(zero)>(inputs[0]); });
  return std::make_unique<SumOracle>(type, std::move(expected), double(shape[2]));
}

/// With such inputs the two roundings of a division move a mean by less than a quarter of a step.
std::optional<Witness> witness(const Shape& s, Type type) {
  const double count = double(s[2]), limit = 1 / (8 * info(type).unit_roundoff);
  const double largest = largest_whole_number(count, 1, limit);
  if (largest < 1) return std::nullopt;
  return Witness{largest, 1 / count, is_power_of_two(s[2]), true};
}

const Registration registered{Algorithm{
    .name = "average",
    .formula = "mean[n][l] = sum over m of v[n][l][m] / M",
    .sizes = {{"sets", 'N'}, {"length", 'L'}, {"vectors", 'M'}},
    .types = real_types,
    .default_type = Type::f32,
    .usual = false,
    .arrays = arrays,
    .flops = flops,
    .shape_of_size = cube_of_size,
    .classic = {1024, 1024, 1024},
    .edge_shapes = average_edge_shapes,
    .oracle = oracle,
    .witness = witness,
    .tuned = "tuned",
    .ladder = {"serial", "plain", "flat", "team", "tuned"},
    .slicing = Slicing{.size = 0, .cut = {0, 0}},
}};

} // namespace
} // namespace ado::bench
