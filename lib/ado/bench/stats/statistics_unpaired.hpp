// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How two lists of times that did not run in turn compare.
#pragma once

#include <ado/bench/stats/statistics.hpp>

#include <vector>

namespace ado {

/// The Hodges-Lehmann estimate of b over a, the median of all ratios of a time in b to one in a,
/// with the interval of 95 % that belongs to the Mann-Whitney test: the times are independent, and nothing is assumed
/// of their distribution. Hollander, Wolfe, Chicken, Nonparametric Statistical Methods, 3rd ed., sections 4.2
/// and 4.3. Neither list may be empty; all times are above 0.
Ratio rank_sum_ratio(const std::vector<double>& a, const std::vector<double>& b);

/// The same of times of two runs, each one after the other: of the medians of groups of neighbours, widened as these
/// may depend on each other. It knows nothing of what differs from one process to the next.
Ratio unpaired_ratio(const std::vector<double>& a, const std::vector<double>& b);

} // namespace ado
