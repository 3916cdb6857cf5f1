// The problem: the computation, its arrays, and the right answer.
#include "stencil.hpp"

namespace bench = ado::bench;

namespace stencil {

namespace {

std::vector<bench::ArraySpec> arrays(const bench::Shape& s) {
  return {{"u", 3, s}, {"w", 3, s, true}};
}

double flops(const bench::Shape& s, bench::Type) {
  return 8.0 * double(s[0]) * double(s[1]) * double(s[2]);
}

/// Adds the terms of w[p][r][c]; k is its row-major index.
template <class T>
void add_terms(bench::OracleSum<T>& sum, const bench::Shape& s, const bench::Array& u,
               std::size_t k) {
  const std::size_t c = k % s[2], r = k / s[2] % s[1], p = k / s[2] / s[1];
  const T* const here = u.as<const T>() + p * u.stride[0] + r * u.stride[1] + c;
  if (p == 0 || p + 1 == s[0] || r == 0 || r + 1 == s[1] || c == 0 || c + 1 == s[2])
    return sum.add(*here);
  for (const std::size_t distance : {std::size_t{1}, u.stride[1], u.stride[0]}) {
    sum.add(*(here - distance));
    sum.add(here[distance]);
  }
  sum.add_product(-6, *here);
}

std::unique_ptr<bench::Oracle> oracle(bench::Type type, const bench::Shape& s,
                                      const std::vector<bench::Array>& inputs) {
  const bench::Array u = inputs[0];
  return bench::oracle_of_sums(
      type, s[0] * s[1] * s[2], 7,
      [=]<class T>(bench::OracleSum<T>& sum, std::size_t k) { add_terms(sum, s, u, k); });
}

const bench::Registration registered{bench::Algorithm{
    .name = "stencil",
    .formula = "w = the six neighbours of u - 6 u",
    .sizes = {{"planes"}, {"rows"}, {"cols"}},
    .types = bench::real_types,
    .default_type = bench::Type::f32,
    .arrays = arrays,
    .flops = flops,
    .classic = {1024, 1024, 1024},
    .oracle = oracle,
    .best = "tuned",
    .ladder = {"plain", "short_index", "packs", "tuned"},
}};

} // namespace

} // namespace stencil
