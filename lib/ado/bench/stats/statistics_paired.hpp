// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the times of two variants that ran in turn compare.
#pragma once

#include <ado/bench/stats/statistics.hpp>

#include <cstddef>
#include <vector>

namespace ado {

/// While two variants run, their ratio is looked at so often at most, and each look could come at a
/// lucky moment. So each interval leaves out the truth with a tenth of 5 %: all that are looked at
/// hold it with 95 %, whichever look is the last (repeated confidence intervals, by Bonferroni's
/// inequality: C. Jennison, B. W. Turnbull, Group Sequential Methods, chapter 9).
inline constexpr std::size_t most_looks = 10;
inline constexpr double error_of_a_look = 0.05 / static_cast<double>(most_looks);

/// The Hodges-Lehmann estimate, the median of all averages of two, of the logarithms of ratios, with the interval of
/// Wilcoxon's signed ranks, which leaves out the truth with the probability `error` where these are independent
/// (M. Hollander, D. A. Wolfe, E. Chicken: Nonparametric Statistical Methods, 3rd ed., sections 3.2 and 3.3).
Ratio signed_rank_ratio(const std::vector<double>& logarithms, double error);

/// Ratio a / b of two variants that ran in turn, the first of each drawn: that of signed ranks at one look, of the
/// medians of groups of neighbours, widened as these may depend on each other. What disturbs neighbours alike
/// cancels, a few disturbed runs weigh little, a disturbance that lasts counts once, and no distribution is assumed
/// but that the logarithms scatter evenly to both sides, as they do where both variants are disturbed alike. Longer
/// lists are cut to the shorter one.
Ratio paired_ratio(const std::vector<double>& a, const std::vector<double>& b);

/// The largest k for which the rank sum of n signed ranks is below k with at most this probability.
std::size_t signed_rank_cut(std::size_t n, double probability);

} // namespace ado
