// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares two lists of times that did not run in turn.
#pragma once

#include <ado/bench/stats/statistics.hpp>

#include <vector>

namespace ado::bench {

/// How many of a hundred intervals hold the truth.
enum class Confidence { percent_95, percent_99 };

/// The Hodges-Lehmann estimate of b over a, the median of all ratios of a time in b to one in a,
/// with the interval of the Mann-Whitney test. It takes the times as independent and assumes no
/// distribution (Hollander, Wolfe, Chicken, Nonparametric Statistical Methods, 3rd ed., sections
/// 4.2 and 4.3). Neither list may be empty; all times are above 0. Two lists of three have no
/// interval of 95 %, two of four none of 99 %.
Ratio rank_sum_ratio(const std::vector<double>& a, const std::vector<double>& b,
                     Confidence confidence = Confidence::percent_95);

/// The same with 95 % for the times of two separate runs: on medians of groups of neighbours,
/// widened because these may depend on each other. It cannot see what differs between processes.
Ratio unpaired_ratio(const std::vector<double>& a, const std::vector<double>& b);

} // namespace ado::bench
