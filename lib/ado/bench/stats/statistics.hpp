// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What times say: their quartiles, and ratios of times with their uncertainty.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace ado::bench {

/// A quantile of a non-empty list, sorted or not (linear interpolation).
double quantile(std::vector<double> values, double q);

inline double median(const std::vector<double>& values) { return quantile(values, 0.5); }

/// The larger of two; NaN if one is, which std::max may drop.
inline double larger(double a, double b) { return std::isnan(a) || a >= b ? a : b; }

/// Interquartile range of a non-empty list, over its median.
double noise(const std::vector<double>& values);

/// Times are neighbours in time: what disturbs one may last and disturb the next. Longer lists
/// become medians of groups of neighbours, so that a disturbance counts as often as it came.
inline constexpr std::size_t most_groups = 128;
std::vector<double> medians_of_groups(const std::vector<double>& values);

/// How much wider an interval for the middle of `values` must be than one that takes them as
/// independent, since neighbours may depend on each other. The factor is the square root of the
/// true variance of their mean over the one that their scatter suggests, for a first-order
/// autoregressive process. Their autocorrelation is that of their ranks, taken above its estimate
/// and at most 0.95: by 0.85 standard deviations if chance explains the estimate, by 3.4 if it does
/// not. Infinity for a list of one. See G. E. P. Box, G. M. Jenkins, G. C. Reinsel, Time Series
/// Analysis, 4th ed., section 2.1.5.
double widening(const std::vector<double>& values);

/// A ratio of times and its confidence interval, which is everything if there are too few samples.
struct Ratio {
  double value = 1, low = 0, high = std::numeric_limits<double>::infinity();
  bool has_interval() const { return low > 0; }
};

/// How the first compares with the second.
enum class Verdict : std::uint8_t { slower, faster, same, inconclusive };
constexpr std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 4> names{"slower", "faster", "same", "inconclusive"};
  return names[static_cast<std::size_t>(verdict)];
}

/// What it means, in words.
std::string_view meaning_of(Verdict verdict);

/// Differences below this matter to nobody.
inline constexpr double least_effect = 0.01;

/// slower or faster: the interval leaves out 1, and the ratio is at least `least` away from it.
/// same: the whole interval is nearer to 1 than that. Otherwise inconclusive.
Verdict verdict_of(const Ratio& ratio, double least = least_effect);

/// Whether even the order of magnitude is open: the interval holds 1, and its ends are at least ten
/// times apart. Such ends allow for lasting noise beyond all ratios seen, so nobody should read
/// them.
bool is_open(const Ratio& ratio);

/// The same interval, `factor` times wider on both sides of the value, in logarithms.
Ratio widened(const Ratio& ratio, double factor);

} // namespace ado::bench
