// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far a computed sum may be from the exact one. The only tolerance in the project.
#pragma once

#include <cstddef>
#include <limits>

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

} // namespace ado
