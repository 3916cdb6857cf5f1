// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a computed sum may be from the exact one. The only tolerance in the project.
#pragma once

#include <ado/core/algorithm.hpp>
#include <ado/core/checks.hpp>
#include <ado/core/types.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace ado {

/// gamma_k = k u / (1 - k u), Higham, Accuracy and Stability of Numerical Algorithms, section 3.1.
/// Infinite where k u >= 1: nothing can be said of so long a chain.
inline double gamma_bound(double steps, double unit_roundoff) {
  const double ku = steps * unit_roundoff;
  return ku < 1 ? ku / (1 - ku) : std::numeric_limits<double>::infinity();
}

/// Depth of a balanced tree over n leaves: ceil(log2(n)).
constexpr double tree_depth(std::size_t n) {
  double depth = 0;
  for (std::size_t leaves = 1; leaves < n; leaves *= 2)
    ++depth;
  return depth;
}

/// The exact value of one output as the oracle knows it.
struct Expected {
  double value = 0;           ///< wide result, rounded to double
  double tail = 0;            ///< what `value` lacks of the wide result
  double magnitude = 0;       ///< sum of |terms|, scaled as the result is
  double largest_partial = 0; ///< no partial sum in any order can exceed this; overflow test
};

/// Oracle of an algorithm whose outputs are sums of products: compares with `expected` (row-major,
/// one entry an output element) within gamma(steps) * magnitude.
class SumOracle : public Oracle {
public:
  /// `terms` is the number of products behind one output; it scales what underflow may add.
  SumOracle(Type type, std::vector<Expected> expected, double terms)
      : type_(type), expected_(std::move(expected)), terms_(terms) {}
  Check check(const Array& output, double rounding_steps) const override;

private:
  Type type_;
  std::vector<Expected> expected_;
  double terms_;
};

} // namespace ado
