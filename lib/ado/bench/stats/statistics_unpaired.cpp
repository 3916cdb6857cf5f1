// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/stats/statistics_unpaired.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ado::bench {
namespace {

/// In how many ways n of n + m things can be chosen; infinity if a double cannot count that far
/// exactly.
double exact_choices(std::size_t n, std::size_t m) {
  double choices = 1;
  for (std::size_t k = 1; k <= n; ++k) {
    choices = choices * static_cast<double>(m + k) / static_cast<double>(k);
    if (choices > 0x1p46) return HUGE_VAL; // the product above stays below 2^53
  }
  return choices;
}

/// The probability beyond one end of an interval, and where a normal distribution has it.
struct Tail {
  double share, deviations;
};
Tail tail_of(Confidence confidence) {
  return confidence == Confidence::percent_99 ? Tail{0.005, 2.5758293035489004}
                                              : Tail{0.025, 1.9599639845400545};
}

/// How many of the differences lie below the interval: the largest k with P(U < k) <= the tail,
/// where U is Mann and Whitney's. For few times, counts all orders with U's generating function,
/// the product of (1 - q^(m+i)) / (1 - q^i). For many, uses the normal distribution.
double differences_below(std::size_t n, std::size_t m, const Tail& tail) {
  if (n > m) std::swap(n, m);
  const double pairs = static_cast<double>(n) * static_cast<double>(m);
  const double choices = exact_choices(n, m);
  if (choices == HUGE_VAL) {
    const double deviation = std::sqrt(pairs * static_cast<double>(n + m + 1) / 12);
    return std::max(0.0, std::floor(pairs / 2 - tail.deviations * deviation));
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
    if (sum > tail.share * choices) break;
  }
  return below;
}

} // namespace

Ratio rank_sum_ratio(const std::vector<double>& a, const std::vector<double>& b,
                     Confidence confidence) {
  std::vector<double> x(a.size()), y(b.size()), differences;
  const auto logarithm = [](double time) { return std::log(time); };
  std::transform(a.begin(), a.end(), x.begin(), logarithm);
  std::transform(b.begin(), b.end(), y.begin(), logarithm);
  for (const double of_a : x)
    for (const double of_b : y)
      differences.push_back(of_b - of_a);
  std::sort(differences.begin(), differences.end());
  Ratio estimate{.value = std::exp(median(differences))};
  const auto below =
      static_cast<std::size_t>(differences_below(a.size(), b.size(), tail_of(confidence)));
  if (below < 1) return estimate;
  estimate.low = std::exp(differences[below - 1]);
  estimate.high = std::exp(differences[differences.size() - below]);
  return estimate;
}

Ratio unpaired_ratio(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = medians_of_groups(a), y = medians_of_groups(b);
  return widened(rank_sum_ratio(x, y), std::max(widening(x), widening(y)));
}

} // namespace ado::bench
