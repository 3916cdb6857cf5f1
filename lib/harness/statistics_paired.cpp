// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/harness/statistics_paired.hpp>

#include <algorithm>
#include <cmath>

namespace ado {
namespace {

/// Medians of groups of neighbours, at most `most` of them.
std::vector<double> grouped(const std::vector<double>& values, std::size_t most) {
  const std::size_t size = (values.size() + most - 1) / most;
  std::vector<double> medians;
  for (std::size_t begin = 0; begin < values.size(); begin += size) {
    const std::size_t end = std::min(begin + size, values.size());
    medians.push_back(median({values.begin() + static_cast<std::ptrdiff_t>(begin),
                              values.begin() + static_cast<std::ptrdiff_t>(end)}));
  }
  return medians;
}

} // namespace

std::size_t signed_rank_cut(std::size_t n, double probability) {
  // Each rank is in the sum or not, with the same probability.
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

Ratio paired_ratio(const std::vector<double>& a, const std::vector<double>& b, double error) {
  constexpr std::size_t most = 128;
  std::vector<double> logs;
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
    logs.push_back(std::log(a[k] / b[k]));
  logs = grouped(logs, most);
  std::vector<double> averages;
  for (std::size_t i = 0; i < logs.size(); ++i)
    for (std::size_t j = i; j < logs.size(); ++j)
      averages.push_back((logs[i] + logs[j]) / 2);
  std::sort(averages.begin(), averages.end());
  Ratio ratio{.value = std::exp(median(averages))};
  if (const std::size_t cut = signed_rank_cut(logs.size(), error / 2); cut > 0) {
    ratio.low = std::exp(averages[cut - 1]);
    ratio.high = std::exp(averages[averages.size() - cut]);
  }
  return ratio;
}

} // namespace ado
