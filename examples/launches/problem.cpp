// The problem: small kernels in a row. Their work takes less time than their start.
#include "launches.hpp"

#include <algorithm>

namespace launches {

namespace {

std::vector<bench::ArraySpec> arrays(const bench::Shape& s) {
  const std::size_t n = s[0] == 0 ? 0 : s[1]; // without kernels nothing is written
  return {{"a", 1, {n, 1, 1}}, {"b", 1, {n, 1, 1}}, {"c", 1, {n, 1, 1}, true}};
}

bench::Shape shape_of_size(std::size_t elements) {
  return {20, std::min<std::size_t>(elements, 1 << 14), 1};
}

std::unique_ptr<bench::Oracle> oracle(bench::Type type, const bench::Shape& s,
                                      const std::vector<bench::Array>& in) {
  return bench::exact_oracle(type, in[0].extent, [&](const bench::Array& c) {
    const auto *a = in[0].as<const Number>(), *b = in[1].as<const Number>();
    for (std::size_t i = 0; i < in[0].extent[0]; ++i)
      c.as<Number>()[i] = a[i] + Number(s[0]) * b[i];
  });
}

const bench::Registration registered{
    bench::Algorithm{.name = "launches",
                     .formula = "kernels in a row: c = a + b, c = c + b, c = c + b, ...",
                     .sizes = {{"kernels"}, {"elements", 'n'}},
                     .types = Launches::types,
                     .default_type = bench::Type::i32,
                     .arrays = arrays,
                     .shape_of_size = shape_of_size,
                     .oracle = oracle,
                     .best = "calls",
                     .ladder = {"fences", "calls", "instances", "functor_5k", "functor_40k",
                                "one_region", "graph", "fused"}}};

} // namespace

} // namespace launches
