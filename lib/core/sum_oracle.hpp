// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The oracle of the algorithms whose outputs are sums of products.
#pragma once

#include <ado/core/algorithm.hpp>
#include <ado/core/types.hpp>

#include <memory>
#include <utility>
#include <vector>

namespace ado {

/// The exact value of one output as the oracle knows it.
struct Expected {
  double value = 0;           ///< wide result, rounded to double
  double tail = 0;            ///< what `value` lacks of the wide result
  double magnitude = 0;       ///< sum of |terms|, scaled as the result is
  double largest_partial = 0; ///< no partial sum in any order can exceed this; overflow test
};

/// Compares with `expected` (row-major, one entry an output element) within gamma(steps) *
/// magnitude.
class SumOracle : public Oracle {
public:
  /// `terms` is the number of products behind one output; it scales what underflow may add.
  SumOracle(Type type, std::vector<Expected> expected, double terms)
      : type_(type), expected_(std::move(expected)), terms_(terms) {}
  Check check(const Array& output, double rounding_steps) const override;
  bool reads_inputs() const override { return false; }
  std::unique_ptr<Oracle> of_sum(const std::vector<const Oracle*>& parts) const override;

private:
  Type type_;
  std::vector<Expected> expected_;
  double terms_;
};

} // namespace ado
