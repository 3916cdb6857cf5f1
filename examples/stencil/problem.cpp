// The problem: what is computed, on which arrays, and what is right.
#include "stencil.hpp"

namespace {

std::vector<ado::ArraySpec> arrays(const ado::Shape& s) { return {{"u", 3, s}, {"w", 3, s, true}}; }

double flops(const ado::Shape& s, ado::Type) {
  return 8.0 * double(s[0]) * double(s[1]) * double(s[2]);
}

/// Adds the terms of w[p][r][c], number k row by row.
template <class T>
void add_terms(ado::OracleSum<T>& sum, const ado::Shape& s, const ado::Array& u, std::size_t k) {
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

std::unique_ptr<ado::Oracle> oracle(ado::Type type, const ado::Shape& s,
                                    const std::vector<ado::Array>& inputs) {
  const ado::Array u = inputs[0];
  return ado::oracle_of_sums(
      type, s[0] * s[1] * s[2], 7,
      [=]<class T>(ado::OracleSum<T>& sum, std::size_t k) { add_terms(sum, s, u, k); });
}

const ado::Registration registered{ado::Algorithm{
    .name = "stencil",
    .formula = "w = the six neighbours of u - 6 u",
    .sizes = {{"planes"}, {"rows"}, {"cols"}},
    .types = ado::real_types,
    .default_type = ado::Type::f32,
    .arrays = arrays,
    .flops = flops,
    .classic = {1024, 1024, 1024},
    .oracle = oracle,
    .best = "tuned",
    .ladder = {"plain", "short_index", "packs", "tuned"},
}};

} // namespace
