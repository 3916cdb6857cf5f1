// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What times say: their quartiles, and what a ratio of times with its uncertainty means.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace ado {

/// A quantile of a sorted or unsorted, non-empty list (linear interpolation).
double quantile(std::vector<double> values, double q);

inline double median(const std::vector<double>& values) { return quantile(values, 0.5); }

/// Distance of the quartiles of a non-empty list, over the median.
double noise(const std::vector<double>& values);

/// Times are neighbours in time: what disturbs one may last and disturb the next. Of more than so many, medians of
/// groups of neighbours are taken, so that a disturbance counts as often as it came.
inline constexpr std::size_t most_groups = 128;
std::vector<double> medians_of_groups(const std::vector<double>& values);

/// By how much an interval for the middle of `values`, made as if they were independent, has to be wider, for they
/// may depend on their neighbours: the square root of what the variance of their mean is above the one that their
/// scatter makes believe, if they are autoregressive of first order. Their autocorrelation is that of the ranks,
/// taken above its estimate and at most 0.95: by 0.85 standard deviations where chance explains the estimate, by 3.4 where
/// it does not. Of lists of one, infinity. See G. E. P. Box, G. M. Jenkins, G. C. Reinsel, Time Series Analysis, 4th ed.,
/// section 2.1.5.
double widening(const std::vector<double>& values);

/// A ratio of times and its confidence interval, which is everything where there are too few
/// samples for one.
struct Ratio {
  double value = 1, low = 0, high = std::numeric_limits<double>::infinity();
  bool has_interval() const { return low > 0; }
};

/// How the first of two compares with the second.
enum class Verdict : std::uint8_t { slower, faster, same, inconclusive };
constexpr std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 4> names{"slower", "faster", "same", "inconclusive"};
  return names[static_cast<std::size_t>(verdict)];
}

/// What it means, for a person.
std::string_view meaning_of(Verdict verdict);

/// Differences below this matter to nobody.
inline constexpr double least_effect = 0.01;

/// slower or faster: the interval leaves out 1, and the ratio is at least `least` away from
/// it. same: the whole interval is nearer to 1 than that. Else inconclusive.
Verdict verdict_of(const Ratio& ratio, double least = least_effect);

/// Whether the interval leaves open even the order of magnitude: it holds 1, and its ends are ten times apart or more.
/// These are then what noise that lasts is allowed for, beyond all ratios that were seen: nobody should read them.
bool is_open(const Ratio& ratio);

/// The same interval, so much wider on both sides of the value, in logarithms.
Ratio widened(const Ratio& ratio, double factor);

} // namespace ado
