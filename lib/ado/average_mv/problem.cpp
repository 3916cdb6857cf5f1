// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/average/problem.hpp>
#include <ado/average_mv/reference.hpp>
#include <ado/core/bound.hpp>
#include <ado/registry/registry.hpp>
#include <ado/registry/sum_oracle.hpp>

#include <algorithm>
#include <cmath>

namespace ado::bench {
namespace {

std::vector<ArraySpec> arrays(const Shape& s) {
  return {{"v", 3, {s[0], s[1], s[2]}}, {"a", 2, {s[1], s[1], 1}}, {"y", 2, {s[1], s[0], 1}, true}};
}

double flops(const Shape& s, Type) {
  const double sets = double(s[0]), length = double(s[1]), vectors = double(s[2]);
  return sets * length * vectors + 2 * length * length * sets;
}

template <class T>
std::vector<Expected> expected_products(const Array& v, const Array& a) {
  const std::size_t sets = v.extent[0], lengths = v.extent[1];
  const auto count = static_cast<double>(v.extent[2]);
  std::vector<Expected> expected(lengths * sets);
#pragma omp parallel
  {
    std::vector<OracleSum<T>> sums(lengths);
#pragma omp for
    for (std::size_t n = 0; n < sets; ++n) {
      for (std::size_t l = 0; l < lengths; ++l)
        sums[l] = reference_row_sum<T>(v, n, l);
      expect_products(a, sums.data(), count, expected.data() + n, sets);
    }
  }
  return expected;
}

std::unique_ptr<Oracle> oracle(Type type, const Shape& shape, const std::vector<Array>& inputs) {
  auto expected = with_real_type(
      type, [&](auto zero) { return expected_products<decltype(zero)>(inputs[0], inputs[1]); });
  return std::make_unique<SumOracle>(type, std::move(expected), double(shape[2] + shape[1]));
}

/// Sums of v are exact; means and what follows are not. An output is the sum of L products with a
/// few roundings each, so in units of 1/M it is off by about sqrt(L) u times itself. That is so
/// little that the nearest whole number is the right one. If the division by M is exact, everything
/// is.
std::optional<Witness> witness(const Shape& s, Type type) {
  const double length = double(s[1]), count = double(s[2]);
  const double roundings = std::max(8.0, 3 * std::sqrt(length));
  const double limit = 1 / (roundings * info(type).unit_roundoff);
  const double largest = largest_whole_number(length * count, 2, limit);
  if (largest < 1) return std::nullopt;
  return Witness{largest, 1 / count, is_power_of_two(s[2]), true};
}

const Registration registered{Algorithm{
    .name = "average_mv",
    .formula = "y[i][n] = sum over j of a[i][j] * mean over m of v[n][j][m]",
    .sizes = {{"sets", 'N'}, {"length", 'L'}, {"vectors", 'M'}},
    .types = real_types,
    .default_type = Type::f32,
    .arrays = arrays,
    .flops = flops,
    .shape_of_size = cube_of_size,
    .classic = {1024, 1024, 1024},
    .edge_shapes = average_edge_shapes,
    .oracle = oracle,
    .witness = witness,
    .tuned = "tuned",
    .ladder = {"serial", "plain", "m_outer", "one_block", "flat", "block_per_set", "coalesced",
               "thread_mv", "vector_mv", "split_gemm", "team", "tuned"},
    .slicing = Slicing{.size = 0, .cut = {0, Slicing::whole, 1}},
}};

} // namespace
} // namespace ado::bench
