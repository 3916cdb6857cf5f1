// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/bound.hpp>
#include <ado/registry/sum_oracle.hpp>
#include <ado/registry/wide.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <string>

namespace ado::bench {
namespace {

std::string describe(const std::string& place, double got, double want, double bound) {
  char text[160];
  std::snprintf(text, sizeof text, " is %.9g, should be %.9g within %.3g", got, want, bound);
  return place + text;
}

/// How far outputs of type T may be from what is expected, and how far they are likely to be.
template <class T>
class Bounds {
public:
  /// `products`: of all outputs; `terms`: of one.
  Bounds(const Tolerance& tolerance, double terms, double products, Roundings roundings)
      : tolerance_(tolerance), roundings_(roundings), deviations_(likely_deviations(products)) {
    const double steps = tolerance.roundings;
    growth_ = std::min(std::exp(steps * unit_roundoff), 4.0);
    // Plus the oracle's own error: an f32 oracle sums in plain double.
    const double own_steps = 2 * terms + 2;
    gamma_ = gamma_bound(steps, unit_roundoff) +
             (sizeof(T) == 4 ? gamma_bound(own_steps, 0x1p-53) : 0x1p-100);
    likely_gamma_ = likely_gamma(steps, unit_roundoff, products) +
                    (sizeof(T) == 4 ? likely_gamma(own_steps, 0x1p-53, products) : 0x1p-100);
    // Products and quotients may underflow, each by half of the smallest number; sums cannot.
    underflow_ = (terms + steps) * static_cast<double>(Limits::denorm_min());
  }

  double largest(const Expected& want) const {
    return bound((gamma_ < 1 ? gamma_ : growth_) * want.magnitude);
  }
  double likely(const Expected& want) const {
    if (roundings_ == Roundings::alike) return largest(want);
    const double partial = std::fabs(want.value) + deviations_ * want.norm;
    const double likely_partial =
        tolerance_.random_data ? std::min(partial, want.magnitude) : want.magnitude;
    return bound(std::min(gamma_ * want.magnitude, likely_gamma_ * likely_partial));
  }
  /// Whether the bound is as large as the terms.
  bool say_nothing() const {
    const double gamma = roundings_ == Roundings::alike ? gamma_ : std::min(gamma_, likely_gamma_);
    return gamma >= 1;
  }
  /// Whether this order of summation may leave T's range on the way.
  bool may_overflow(const Expected& want) const {
    return want.largest_partial * growth_ >= static_cast<double>(Limits::max());
  }

private:
  using Limits = std::numeric_limits<T>;
  static constexpr double unit_roundoff = static_cast<double>(Limits::epsilon()) / 2;

  double bound(double rounding) const {
    if (tolerance_.roundings == 0) return 0; // the bits must be the oracle's
    return std::min(tolerance_.at_most, rounding + underflow_);
  }

  Tolerance tolerance_;
  Roundings roundings_;
  double deviations_;
  /// No computed sum exceeds this many times the sum of its terms' magnitudes: an addition errs by
  /// at most its smaller operand, however many roundings there are.
  double growth_;
  double gamma_, likely_gamma_;
  double underflow_;
};

double larger_error(double a, double b) { // fmax drops NaN; a NaN error must stay visible
  return is_nan(a) || is_nan(b) ? std::numeric_limits<double>::quiet_NaN() : std::fmax(a, b);
}

/// For the elements from `first` on.
template <class T>
Check check_sums(const Array& output, std::size_t first, std::span<const Expected> expected,
                 const Bounds<T>& bounds, bool negated) {
  const double sign = negated ? -1 : 1;
  const ArrayRows rows(output);
  Check result;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const Expected& want = expected[k];
    const double got =
        sign * static_cast<double>(output.as<const T>()[rows.start((first + k) / rows.length) +
                                                        (first + k) % rows.length]);
    const double bound = bounds.largest(want);
    bool ok;
    double error = 0;
    if (!is_finite(want.value)) {
      ok = is_nan(want.value) ? is_nan(got) : got == want.value;
    } else if (!is_finite(got)) {
      ok = bounds.may_overflow(want);
      error = ok ? 0 : std::numeric_limits<double>::quiet_NaN();
    } else {
      error = std::fabs((got - want.value) - want.tail);
      ok = error <= bound;
      if (error > 0) result.worst_bound_share = std::fmax(result.worst_bound_share, error / bound);
    }
    result.max_error = larger_error(result.max_error, error);
    if (!ok) {
      if (result.wrong++ == 0)
        result.first_wrong = describe(rows.place(first + k), got, want.value, bound);
      result.ok = false;
    } else if (result.unlikely.empty() && (bounds.say_nothing() || error > bounds.likely(want))) {
      result.unlikely = describe(rows.place(first + k), got, want.value, bounds.likely(want));
    }
  }
  return result;
}

/// Adds the findings for later elements.
void append(Check& all, const Check& later) {
  all.ok = all.ok && later.ok;
  all.max_error = larger_error(all.max_error, later.max_error);
  all.worst_bound_share = std::fmax(all.worst_bound_share, later.worst_bound_share);
  all.wrong += later.wrong;
  if (all.first_wrong.empty()) all.first_wrong = later.first_wrong;
  if (all.unlikely.empty()) all.unlikely = later.unlikely;
}

/// Checks `count` elements chunk by chunk, in parallel: chunk_of(first, size, scratch) gives the
/// expected values.
template <class T, class ChunkOf>
Check check_chunks(const Array& output, std::size_t count, const Bounds<T>& bounds, bool negated,
                   const ChunkOf& chunk_of) {
  constexpr std::size_t most = std::size_t{1} << 14;
  std::vector<Check> checks((count + most - 1) / most);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t c = 0; c < checks.size(); ++c) {
    std::vector<Expected> scratch;
    const std::size_t first = c * most, size = std::min(most, count - first);
    checks[c] = check_sums(output, first, chunk_of(first, size, scratch), bounds, negated);
  }
  Check all;
  for (const Check& check : checks)
    append(all, check);
  return all;
}

/// The sums of what `parts` expect, entry by entry.
template <class T>
std::vector<Expected> expected_sums(const std::vector<const std::vector<Expected>*>& parts,
                                    std::size_t count) {
  std::vector<Expected> sums(count);
  for (std::size_t k = 0; k < count; ++k) {
    Accumulator<T> sum;
    Expected& total = sums[k];
    for (const std::vector<Expected>* part : parts) {
      const Expected& one = (*part)[k];
      sum.add(one.value);
      if (one.tail != 0) sum.add(one.tail);
      total.magnitude += one.magnitude;
      total.norm += one.norm; // parts may be of the same data
      total.largest_partial = std::fmax(total.largest_partial, one.largest_partial);
    }
    total.value = sum.high();
    total.tail = sum.low();
    total.largest_partial = std::fmax(total.largest_partial, total.magnitude);
  }
  return sums;
}

} // namespace

std::unique_ptr<Oracle> SumOracle::of_sum(const std::vector<const Oracle*>& parts) const {
  std::vector<const std::vector<Expected>*> expected;
  double terms = 0;
  for (const Oracle* part : parts) {
    const auto* sums = static_cast<const SumOracle*>(part);
    expected.push_back(&sums->expected_);
    terms += sums->terms_;
  }
  auto total = with_real_type(
      type_, [&](auto zero) { return expected_sums<decltype(zero)>(expected, expected_.size()); });
  return std::make_unique<SumOracle>(type_, std::move(total), terms, roundings_);
}

Check SumOracle::check(const Array& output, const Tolerance& tolerance) const {
  const std::size_t count = expected_.size();
  Check result;
  with_real_type(type_, [&](auto zero) {
    const Bounds<decltype(zero)> bounds(tolerance, terms_, terms_ * static_cast<double>(count),
                                        roundings_);
    result = check_chunks(output, count, bounds, tolerance.negated,
                          [&](std::size_t first, std::size_t size, std::vector<Expected>&) {
                            return std::span(expected_).subspan(first, size);
                          });
  });
  return result;
}

Check ChunkedSumOracle::check(const Array& output, const Tolerance& tolerance) const {
  Check result;
  with_real_type(type_, [&](auto zero) {
    const Bounds<decltype(zero)> bounds(tolerance, terms_, terms_ * static_cast<double>(count_),
                                        Roundings::independent);
    result =
        check_chunks(output, count_, bounds, tolerance.negated,
                     [&](std::size_t first, std::size_t size, std::vector<Expected>& expected) {
                       expected.resize(size);
                       expect_(first, expected);
                       return std::span<const Expected>(expected);
                     });
  });
  return result;
}

} // namespace ado::bench
