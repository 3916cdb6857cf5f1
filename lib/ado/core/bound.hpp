// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a computed sum may be from the exact one, how far it is likely to be, and the whole
// numbers whose sums are exact. The only tolerance in the project.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace ado::detail {

/// gamma_k = k u / (1 - k u), Higham, Accuracy and Stability of Numerical Algorithms, section 3.1.
/// Infinite where k u >= 1: nothing can be said of so long a chain.
inline double gamma_bound(double steps, double unit_roundoff) {
  const double ku = steps * unit_roundoff;
  return ku < 1 ? ku / (1 - ku) : std::numeric_limits<double>::infinity();
}

/// The chance of a right result that is called unlikely, for all outputs of a run together.
inline constexpr double false_alarm = 1e-9;

/// Standard deviations from its mean that none of this many sums of random terms reaches, but with
/// that chance.
inline double likely_deviations(double sums) {
  return std::sqrt(2 * std::log(2 * std::max(sums, 1.0) / false_alarm));
}

/// Takes gamma's place with that chance, where roundings are independent and as likely up as down:
/// exp(lambda sqrt(k) u + k u^2 / (1 - u)) - 1 bounds one product of k factors 1 + delta but with a
/// chance of 2 exp(-lambda^2 (1 - u)^2 / 2). Higham, Mary, "A new approach to probabilistic
/// rounding error analysis", SIAM J. Sci. Comput. 41(5), 2019, theorem 2.4. `products`: of all
/// outputs.
inline double likely_gamma(double steps, double unit_roundoff, double products) {
  const double lambda = likely_deviations(products) / (1 - unit_roundoff);
  return std::expm1(lambda * std::sqrt(steps) * unit_roundoff +
                    steps * unit_roundoff * unit_roundoff / (1 - unit_roundoff));
}

/// The largest whole numbers whose sums stay exact: of `terms` products of `factors` of them each,
/// of either sign at random. Partial sums grow like the square root of their length, and must stay
/// below `limit`. Six of their standard deviations are below it, ten where the numbers are more
/// than a few. At most 4096; less than 1: there are none.
inline double largest_whole_number(double terms, double factors, double limit) {
  const double largest_product = limit / (6 * std::sqrt(std::max(terms, 1.0)));
  return std::min(4096.0, std::floor(std::pow(largest_product, 1 / factors) + 1e-9));
}

/// Depth of a balanced tree over n leaves: ceil(log2(n)).
constexpr double tree_depth(std::size_t n) {
  double depth = 0;
  for (std::size_t leaves = 1; leaves < n; leaves *= 2)
    ++depth;
  return depth;
}

} // namespace ado::detail
