// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/bound.hpp>
#include <ado/core/sum_oracle.hpp>
#include <ado/core/wide.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>

namespace ado {
namespace {

std::string describe(std::size_t row, std::size_t column, double got, double want, double bound) {
  char text[160];
  std::snprintf(text, sizeof text, "[%zu][%zu] is %.9g, should be %.9g within %.3g", row, column,
                got, want, bound);
  return text;
}

template <class T>
Check check_sums(const Array& output, const std::vector<Expected>& expected, double steps,
                 double terms) {
  using Limits = std::numeric_limits<T>;
  constexpr double unit_roundoff = static_cast<double>(Limits::epsilon()) / 2;
  const double gamma = gamma_bound(steps, unit_roundoff);
  // As much as the terms themselves: a result of 0 would be within such a bound.
  const bool says_nothing = gamma >= 1;
  // No computed sum exceeds so many times the sum of its terms' magnitudes: an addition is wrong by its
  // smaller operand at most, whatever the number of roundings.
  const double growth = std::min(std::exp(steps * unit_roundoff), 4.0);
  // The oracle's own error: an f32 oracle sums in plain double.
  const double oracle_gamma = sizeof(T) == 4 ? gamma_bound(2 * terms + 2, 0x1p-53) : 0x1p-100;
  // Products and quotients may underflow, each by half of the smallest number; sums cannot.
  const double underflow = (terms + steps) * static_cast<double>(Limits::denorm_min());
  Check result;
  result.bound_says_nothing = says_nothing;
  for (std::size_t row = 0; row < output.extent[0]; ++row)
    for (std::size_t column = 0; column < output.extent[1]; ++column) {
      const Expected& want = expected[row * output.extent[1] + column];
      const double got = static_cast<double>(output.as<const T>()[row * output.stride[0] + column]);
      // No rounding on the way: the bits must be the oracle's.
      const double share = says_nothing ? growth : gamma + oracle_gamma;
      const double bound = steps == 0 ? 0 : share * want.magnitude + underflow;
      bool ok;
      double error = 0;
      if (!std::isfinite(want.value)) {
        ok = std::isnan(want.value) ? std::isnan(got) : got == want.value;
      } else if (!std::isfinite(got)) {
        // Right only if this order of summation may leave the range of T on the way.
        ok = want.largest_partial * growth >= static_cast<double>(Limits::max());
        error = ok ? 0 : std::numeric_limits<double>::quiet_NaN();
      } else {
        error = std::fabs((got - want.value) - want.tail);
        ok = error <= bound;
        if (error > 0)
          result.worst_bound_share = std::fmax(result.worst_bound_share, error / bound);
      }
      // fmax drops NaN; a NaN error must stay visible.
      result.max_error = std::isnan(error) || std::isnan(result.max_error)
                             ? std::numeric_limits<double>::quiet_NaN()
                             : std::fmax(result.max_error, error);
      if (!ok) {
        if (result.wrong++ == 0) result.first_wrong = describe(row, column, got, want.value, bound);
        result.ok = false;
      }
    }
  return result;
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
  return std::make_unique<SumOracle>(type_, std::move(total), terms);
}

Check SumOracle::check(const Array& output, double rounding_steps) const {
  Check result;
  with_real_type(type_, [&](auto zero) {
    result = check_sums<decltype(zero)>(output, expected_, rounding_steps, terms_);
  });
  return result;
}

} // namespace ado
