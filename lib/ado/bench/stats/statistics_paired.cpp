// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/stats/statistics_paired.hpp>

#include <algorithm>
#include <cmath>

namespace ado::bench {

std::size_t signed_rank_cut(std::size_t n, double probability) {
  // Each rank is in the sum or not, with equal probability.
  std::vector<double> of_sum(n * (n + 1) / 2 + 1);
  of_sum[0] = 1;
  for (std::size_t rank = 1; rank <= n; ++rank)
    for (std::size_t sum = of_sum.size(); sum-- > 0;)
      of_sum[sum] = (of_sum[sum] + (sum >= rank ? of_sum[sum - rank] : 0)) / 2;
  std::size_t k = 0;
  for (double below = of_sum[0]; below <= probability; below += of_sum[k])
    ++k;
  return k;
}

Ratio signed_rank_ratio(const std::vector<double>& logarithms, double error) {
  std::vector<double> averages;
  for (std::size_t i = 0; i < logarithms.size(); ++i)
    for (std::size_t j = i; j < logarithms.size(); ++j)
      averages.push_back((logarithms[i] + logarithms[j]) / 2);
  std::sort(averages.begin(), averages.end());
  Ratio ratio{.value = std::exp(median(averages))};
  if (const std::size_t cut = signed_rank_cut(logarithms.size(), error / 2); cut > 0) {
    ratio.low = std::exp(averages[cut - 1]);
    ratio.high = std::exp(averages[averages.size() - cut]);
  }
  return ratio;
}

Ratio paired_ratio(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> logarithms;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    logarithms.push_back(std::log(a[k] / b[k]));
  logarithms = medians_of_groups(logarithms);
  return widened(signed_rank_ratio(logarithms, error_of_a_look), widening(logarithms));
}

} // namespace ado::bench
