// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/bound.hpp>
#include <ado/registry/matrix_shapes.hpp>
#include <ado/registry/registry.hpp>
#include <ado/registry/sum_oracle.hpp>
#include <ado/yax/reference.hpp>

namespace ado::bench {
namespace {

std::vector<ArraySpec> arrays(const Shape& s) {
  return {{"y", 1, {s[0], 1, 1}},
          {"a", 2, {s[0], s[1], 1}},
          {"x", 1, {s[1], 1, 1}},
          {"result", 0, {1, 1, 1}, true}};
}

double flops(const Shape& s, Type) {
  const double rows = double(s[0]), columns = double(s[1]);
  return 2 * rows * columns + 2 * rows;
}

template <class T>
Expected expected_result(const Array& y, const Array& a, const Array& x) {
  std::vector<OracleSum<T>> rows(a.extent[0]);
#pragma omp parallel for
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = reference_row_dot<T>(a, x, i);
  OracleSum<T> total;
  double largest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    reference_add_row<T>(total, y, i, rows[i]);
    largest = std::fmax(largest, rows[i].magnitude);
  }
  return {total.sum.high(), total.sum.low(), total.magnitude, std::fmax(largest, total.magnitude),
          std::sqrt(total.squares)};
}

std::unique_ptr<Oracle> oracle(Type type, const Shape& shape, const std::vector<Array>& inputs) {
  const Expected expected = with_real_type(type, [&](auto zero) {
    return expected_result<decltype(zero)>(inputs[0], inputs[1], inputs[2]);
  });
  return std::make_unique<SumOracle>(type, std::vector{expected},
                                     double(shape[0]) * double(shape[1]));
}

/// Everything is exact, in any order of summation.
std::optional<Witness> witness(const Shape& s, Type type) {
  const double largest =
      largest_whole_number(double(s[0]) * double(s[1]), 3, 1 / info(type).unit_roundoff);
  if (largest < 1) return std::nullopt;
  return Witness{largest, 1, true, true};
}

const Registration registered{Algorithm{
    .name = "yax",
    .formula = "result = sum over i of y[i] * sum over j of a[i][j] * x[j]",
    .sizes = {{"rows"}, {"cols"}},
    .types = real_types,
    .default_type = Type::f64,
    .arrays = arrays,
    .flops = flops,
    .shape_of_size = square_of_size,
    .classic = {32768, 32768, 1},
    .edge_shapes = matrix_edge_shapes,
    .oracle = oracle,
    .witness = witness,
    .tuned = "tuned",
    .ladder = {"serial", "plain", "row_per_thread", "row_per_thread_left", "row_per_thread_batched",
               "row_per_vector", "row_per_vector_atomic", "row_per_vector_shared", "row_per_team",
               "two_call", "team", "tuned"},
    .exhibits = {"one_team", "scratch_limited", "register_limited"},
    .slicing = Slicing{.size = 0, .cut = {0, 0, Slicing::whole, Slicing::whole}, .summed = true},
}};

} // namespace
} // namespace ado::bench
