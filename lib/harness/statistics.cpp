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

std::string_view meaning_of(Verdict verdict) {
  switch (verdict) {
  case Verdict::slower:
    return "The ratio of times is 1.01 or more, and its interval leaves out 1.";
  case Verdict::faster:
    return "The ratio of times is 1/1.01 or less, and its interval leaves out 1.";
  case Verdict::same:
    return "The whole interval of the ratio is within 1 % of 1.";
  case Verdict::inconclusive:
    break;
  }
  return "The interval of the ratio is too wide to tell, or there is none, for want of runs. In "
         "the\n"
         "table such a ratio has a ?. A longer --timeout, more --reps or a quieter machine decide.";
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
