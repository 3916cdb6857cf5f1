// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/harness/statistics_unpaired.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ado {
namespace {

std::vector<double> sorted_logs(const std::vector<double>& values) {
  std::vector<double> logs;
  logs.reserve(values.size());
  for (const double value : values)
    logs.push_back(std::log(value));
  std::sort(logs.begin(), logs.end());
  return logs;
}

/// How many of the differences b[j] - a[i] of sorted lists are at most `limit`.
double differences_up_to(double limit, const std::vector<double>& a, const std::vector<double>& b) {
  std::size_t j = 0;
  double count = 0;
  for (const double x : a) {
    while (j < b.size() && b[j] - x <= limit)
      ++j;
    count += static_cast<double>(j);
  }
  return count;
}

/// The rank-th smallest difference, from 1 on, by bisection: there are too many to list them.
double difference_of_rank(double rank, const std::vector<double>& a, const std::vector<double>& b) {
  double low = b.front() - a.back(), high = b.back() - a.front();
  for (int step = 0; step < 64; ++step) {
    const double middle = low + (high - low) / 2;
    (differences_up_to(middle, a, b) >= rank ? high : low) = middle;
  }
  return high;
}

/// In how many ways n of n + m things can be chosen, or infinity where a double does not count
/// exactly so far.
double exact_choices(std::size_t n, std::size_t m) {
  double choices = 1;
  for (std::size_t k = 1; k <= n; ++k) {
    choices = choices * static_cast<double>(m + k) / static_cast<double>(k);
    if (choices > 0x1p46) return HUGE_VAL; // the product above stays below 2^53
  }
  return choices;
}

/// How many of the differences lie below the interval: the largest k with P(U < k) <= 2.5 %, U
/// being Mann and Whitney's. Few times: by counting all orders with the generating function of U,
/// the product of (1 - q^(m+i)) / (1 - q^i). Many: by the normal distribution.
double differences_below(std::size_t n, std::size_t m) {
  if (n > m) std::swap(n, m);
  const double pairs = static_cast<double>(n) * static_cast<double>(m);
  const double choices = exact_choices(n, m);
  if (choices == HUGE_VAL) {
    const double deviation = std::sqrt(pairs * static_cast<double>(n + m + 1) / 12);
    return std::max(0.0, std::floor(pairs / 2 - 1.959964 * deviation));
  }
  std::vector<double> ways(n * m / 2 + 1, 0.0); // by value of U
  ways[0] = 1;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t u = ways.size(); u-- > m + i;)
      ways[u] -= ways[u - m - i];
    for (std::size_t u = i; u < ways.size(); ++u)
      ways[u] += ways[u - i];
  }
  double sum = 0, below = 0;
  for (; static_cast<std::size_t>(below) < ways.size(); ++below) {
    sum += ways[static_cast<std::size_t>(below)];
    if (sum > 0.025 * choices) break;
  }
  return below;
}

} // namespace

Ratio unpaired_ratio(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = sorted_logs(a), y = sorted_logs(b);
  const double pairs = static_cast<double>(x.size()) * static_cast<double>(y.size());
  const double lower = difference_of_rank(std::ceil(pairs / 2), x, y);
  const double upper = difference_of_rank(std::floor(pairs / 2) + 1, x, y);
  Ratio estimate{.value = std::exp((lower + upper) / 2)};
  const double below = differences_below(x.size(), y.size());
  if (below < 1) return estimate;
  estimate.low = std::exp(difference_of_rank(below, x, y));
  estimate.high = std::exp(difference_of_rank(pairs + 1 - below, x, y));
  return estimate;
}

} // namespace ado
