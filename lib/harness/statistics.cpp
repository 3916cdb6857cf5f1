// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/harness/statistics.hpp>

#include <algorithm>

namespace ado {

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double fraction = place - static_cast<double>(below);
  return values[below] + fraction * (values[above] - values[below]);
}

double noise(const std::vector<double>& values) {
  return (quantile(values, 0.75) - quantile(values, 0.25)) / median(values);
}

Verdict verdict_of(const Ratio& ratio) {
  if (!ratio.has_interval()) return Verdict::inconclusive;
  const double most = 1 + least_effect, least = 1 / most;
  if (ratio.low > 1 && ratio.value >= most) return Verdict::slower;
  if (ratio.high < 1 && ratio.value <= least) return Verdict::faster;
  if (ratio.low > least && ratio.high < most) return Verdict::same;
  return Verdict::inconclusive;
}

} // namespace ado
