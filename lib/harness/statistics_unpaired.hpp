// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How two lists of times of separate runs compare.
#pragma once

#include <vector>

namespace ado {

/// How many times longer one takes than the other, and where that lies with 95 % confidence.
struct RatioEstimate {
  double ratio = 1;
  double low = 0, high = 0;
  bool has_interval = false; ///< false where the times are too few for one
};

/// The Hodges-Lehmann estimate of b over a, the median of all ratios of a time in b to one in a,
/// with the interval that belongs to the Mann-Whitney test: nothing is assumed of the distribution.
/// Hollander, Wolfe, Chicken, Nonparametric Statistical Methods, 3rd ed., sections 4.2 and 4.3.
/// Neither list may be empty; all times are above 0.
RatioEstimate unpaired_ratio(const std::vector<double>& a, const std::vector<double>& b);

} // namespace ado
