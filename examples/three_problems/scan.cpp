// The problem: the sum of all elements up to each one.
#include "scan.hpp"

#include <numeric>

namespace bench = ado::bench;

namespace scan {

namespace {

std::vector<bench::ArraySpec> arrays(const bench::Shape& s) {
  return {{"a", 1, {s[0], 1, 1}}, {"b", 1, {s[0], 1, 1}, true}};
}

// No rounding, so each bit must be that of one loop.
std::unique_ptr<bench::Oracle> oracle(bench::Type type, const bench::Shape& s,
                                      const std::vector<bench::Array>& in) {
  return bench::exact_oracle(type, {s[0], 1, 1}, [&](const bench::Array& b) {
    with_unsigned(type, [&]<class T>(T) {
      std::partial_sum(in[0].as<const T>(), in[0].as<const T>() + s[0], b.as<T>());
    });
  });
}

const bench::Registration registered{bench::Algorithm{.name = "scan",
                                                      .formula = "b[i] = a[0] + ... + a[i]",
                                                      .sizes = {{"elements", 'n'}},
                                                      .types = ScanVariant::types,
                                                      .default_type = bench::Type::i32,
                                                      .arrays = arrays,
                                                      .oracle = oracle,
                                                      .best = "plain"}};

} // namespace

} // namespace scan
