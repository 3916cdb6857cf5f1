// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How two lists of times of separate runs compare.
#pragma once

#include <ado/harness/statistics.hpp>

#include <vector>

namespace ado {

/// The Hodges-Lehmann estimate of b over a, the median of all ratios of a time in b to one in a,
/// with the interval that belongs to the Mann-Whitney test: nothing is assumed of the distribution.
/// Hollander, Wolfe, Chicken, Nonparametric Statistical Methods, 3rd ed., sections 4.2 and 4.3.
/// 95 % are enough here, for it is looked at once. Neither list may be empty; all times are above 0.
Ratio unpaired_ratio(const std::vector<double>& a, const std::vector<double>& b);

} // namespace ado
