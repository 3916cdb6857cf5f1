// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracle for outputs that are sums of products.
#pragma once

#include <ado/registry/algorithm.hpp>
#include <ado/registry/types.hpp>
#include <ado/registry/wide.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace ado::bench {

/// The exact value of one output as the oracle knows it.
struct Expected {
  double value = 0;           ///< wide result, rounded to double
  double tail = 0;            ///< what `value` lacks of the wide result
  double magnitude = 0;       ///< sum of |terms|, scaled as the result is
  double largest_partial = 0; ///< bound on all partial sums, in any order; overflow test
  double norm = 0;            ///< root of the sum of the terms' squares, scaled as the result is
};

/// Whether the roundings of a sum are as likely up as down. They are not if one term is added again
/// and again.
enum class Roundings : std::uint8_t { independent, alike };

/// Compares with `expected` (row-major, one entry per output element) within gamma(roundings) *
/// magnitude; an error above likely_gamma() * magnitude is unlikely. For random data,
/// likely_gamma() scales the largest likely partial sum instead of the magnitude.
class SumOracle : public Oracle {
public:
  /// `terms` is the number of products behind one output; it scales what underflow may add.
  SumOracle(Type type, std::vector<Expected> expected, double terms,
            Roundings roundings = Roundings::independent)
      : type_(type), expected_(std::move(expected)), terms_(terms), roundings_(roundings) {}
  Check check(const Array& output, const Tolerance& tolerance) const override;
  std::optional<Type> output_type() const override { return type_; }
  bool reads_inputs() const override { return false; }
  std::unique_ptr<Oracle> of_sum(const std::vector<const Oracle*>& parts) const override;
  const std::vector<Expected>& expected() const { return expected_; }

private:
  Type type_;
  std::vector<Expected> expected_;
  double terms_;
  Roundings roundings_;
};

/// The same for outputs that each check computes anew, chunk by chunk, because all of them would
/// take much memory. `expect(first, expected)` fills `expected` with outputs first, first + 1, ...
/// (row-major); several threads call it.
class ChunkedSumOracle : public Oracle {
public:
  using Expect = std::function<void(std::size_t first, std::vector<Expected>& expected)>;
  ChunkedSumOracle(Type type, std::size_t count, double terms, Expect expect)
      : type_(type), count_(count), terms_(terms), expect_(std::move(expect)) {}
  Check check(const Array& output, const Tolerance& tolerance) const override;

private:
  Type type_;
  std::size_t count_;
  double terms_;
  Expect expect_;
};

/// The oracle of `count` outputs (row-major), each a sum of at most `terms` products.
/// add_terms(sum, k) adds those of output k to an OracleSum<T>& by add() and add_product(); T is
/// the type behind `type`, float or double. add_terms is copied, and called in parallel whenever an
/// output is checked.
template <class F>
std::unique_ptr<Oracle> oracle_of_sums(Type type, std::size_t count, double terms, F add_terms) {
  const auto expect = [=](std::size_t first, std::vector<Expected>& expected) {
    with_real_type(type, [&](auto zero) {
      for (std::size_t k = 0; k < expected.size(); ++k) {
        OracleSum<decltype(zero)> sum;
        add_terms(sum, first + k);
        expected[k] = {sum.sum.high(), sum.sum.low(), sum.magnitude, sum.magnitude,
                       std::sqrt(sum.squares)};
      }
    });
  };
  return std::make_unique<ChunkedSumOracle>(type, count, terms, expect);
}

/// An output by a formula: its value, and what its roundings are relative to, at least |value|. If
/// large terms cancel, the sum of their absolute values.
struct ExactValue {
  long double value; ///< as exact as the oracle can compute it
  double magnitude;  ///< that roundings are relative to
};

/// The oracle of `count` outputs (row-major) by any formula: value_of(k) computes output k in long
/// double. An output may be off by gamma(rounding_steps) * magnitude. value_of is copied, and
/// called in parallel whenever an output is checked.
template <class F>
std::unique_ptr<Oracle> oracle_of_values(Type type, std::size_t count, F value_of) {
  const auto expect = [=](std::size_t first, std::vector<Expected>& expected) {
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const ExactValue exact = value_of(first + k);
      const auto value = static_cast<double>(exact.value);
      const auto tail = static_cast<double>(exact.value - static_cast<long double>(value));
      const double magnitude = exact.magnitude;
      expected[k] = {value, std::isfinite(value) ? tail : 0, magnitude, magnitude, magnitude};
    }
  };
  return std::make_unique<ChunkedSumOracle>(type, count, 1, expect);
}

} // namespace ado::bench
