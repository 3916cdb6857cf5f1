// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/stats/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ado::bench {
namespace {

/// Equal values get the mean of their places.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> ranks;
  for (const double value : values) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    ranks.push_back(static_cast<double>((first - sorted.begin()) + (last - sorted.begin()) - 1) /
                    2);
  }
  return ranks;
}

/// Of each value with the next; 0 if all are equal.
double autocorrelation(const std::vector<double>& values) {
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double products = 0, squares = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    squares += (values[k] - mean) * (values[k] - mean);
    if (k > 0) products += (values[k] - mean) * (values[k - 1] - mean);
  }
  return squares > 0 ? products / squares : 0;
}

} // namespace

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double place = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double fraction = place - static_cast<double>(below);
  return values[below] + fraction * (values[above] - values[below]);
}

std::vector<double> medians_of_groups(const std::vector<double>& values) {
  const std::size_t size = (values.size() + most_groups - 1) / most_groups;
  std::vector<double> medians;
  for (std::size_t begin = 0; begin < values.size(); begin += size) {
    const std::size_t end = std::min(begin + size, values.size());
    medians.push_back(median({values.begin() + static_cast<std::ptrdiff_t>(begin),
                              values.begin() + static_cast<std::ptrdiff_t>(end)}));
  }
  return medians;
}

double widening(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  if (n < 2) return HUGE_VAL;
  const double estimate = std::max(0.0, autocorrelation(ranks_of(values)));
  const double unbiased = std::min(1.0, estimate + (1 + 3 * estimate) / n);
  // If chance explains the estimate, it says little; if not, the true value may well be larger.
  const double deviations = std::clamp((estimate * std::sqrt(n) - 0.4) / 0.9, 0.0, 1.0);
  const double likely =
      unbiased + std::lerp(0.85, 3.4, deviations) * std::sqrt((1 - unbiased * unbiased) / n);
  const double correlation = std::min(likely, 0.95);
  double variance = 1, power = 1; // of the mean, over that of a value / n
  for (double distance = 1; distance < n; ++distance) {
    power *= correlation;
    variance += 2 * (1 - distance / n) * power;
  }
  return std::sqrt(variance * (n - 1) /
                   (n - variance)); // the scatter about the mean is too small as well
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
         "the table such a ratio has a ?. A longer --timeout, more --reps or a quieter machine "
         "decide.";
}

Verdict verdict_of(const Ratio& ratio, double least) {
  if (!ratio.has_interval()) return Verdict::inconclusive;
  const double most = 1 + least, fewest = 1 / most;
  if (ratio.low > 1 && ratio.value >= most) return Verdict::slower;
  if (ratio.high < 1 && ratio.value <= fewest) return Verdict::faster;
  if (ratio.low > fewest && ratio.high < most) return Verdict::same;
  return Verdict::inconclusive;
}

bool is_open(const Ratio& ratio) {
  return ratio.has_interval() && ratio.low <= 1 && ratio.high >= 1 && ratio.high >= 10 * ratio.low;
}

Ratio widened(const Ratio& ratio, double factor) {
  if (!ratio.has_interval() || !std::isfinite(factor)) return {.value = ratio.value};
  return {ratio.value, ratio.value * std::pow(ratio.low / ratio.value, factor),
          ratio.value * std::pow(ratio.high / ratio.value, factor)};
}

} // namespace ado::bench
