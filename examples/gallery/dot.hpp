// What the dot product's problem and its variants share.
#pragma once
#include <ado/bench/bench.hpp>

namespace dot {

namespace bench = ado::bench;

struct Names {
  static constexpr std::string_view algorithm = "dot", name = "plain";
  static constexpr bench::TypeSet types = bench::real_types;
  /// A product and an addition for each term, in any order.
  static double rounding_steps(const bench::Shape& s, bench::Type) { return double(s[0]) + 1; }
};

} // namespace dot
