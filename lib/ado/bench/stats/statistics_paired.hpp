// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the times of two variants that ran in turn.
#pragma once

#include <ado/bench/stats/statistics.hpp>

#include <cstddef>
#include <vector>

namespace ado::bench {

/// While two variants run, their ratio is looked at this often at most, and each look could come at
/// a lucky moment. So each interval misses the truth with a tenth of 5 %: together all looks hold
/// it with 95 %, whichever is last (repeated confidence intervals, by Bonferroni's inequality: C.
/// Jennison, B. W. Turnbull, Group Sequential Methods, chapter 9).
inline constexpr std::size_t most_looks = 10;
inline constexpr double error_of_a_look = 0.05 / static_cast<double>(most_looks);

/// The Hodges-Lehmann estimate (the median of all averages of two) of logarithms of ratios, with
/// the interval of Wilcoxon's signed ranks. If the ratios are independent, it misses the truth with
/// probability `error` (M. Hollander, D. A. Wolfe, E. Chicken: Nonparametric Statistical Methods,
/// 3rd ed., sections 3.2 and 3.3).
Ratio signed_rank_ratio(const std::vector<double>& logarithms, double error);

/// Ratio a / b of two variants that ran in turn, who goes first being drawn: signed_rank_ratio()
/// for one look, on medians of groups of neighbours, widened because these may depend on each
/// other. What disturbs neighbours alike cancels, a few disturbed runs weigh little, and a lasting
/// disturbance counts once. The one assumption is that the logarithms scatter evenly to both sides,
/// as they do if both variants are disturbed alike. The longer list is cut.
Ratio paired_ratio(const std::vector<double>& a, const std::vector<double>& b);

/// The largest k such that the rank sum of n signed ranks is below k with at most this probability.
std::size_t signed_rank_cut(std::size_t n, double probability);

} // namespace ado::bench
