// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accumulation in more precision than the result has: what the oracles sum with.
#pragma once

#include <cmath>

namespace ado {

/// A sum of doubles carried in twice double's precision (Knuth's TwoSum, Dekker's product by fma;
/// Ogita, Rump, Oishi, "Accurate sum and dot product", 2005). Its error stays below n^2 * 2^-104 *
/// sum|terms|. Infinities and NaN behave as in a plain sum.
class WideSum {
public:
  void add(double x) {
    const double sum = high_ + x;
    const double of_x = sum - high_;
    low_ += (high_ - (sum - of_x)) + (x - of_x);
    high_ = sum;
  }
  void add_product(double x, double y) {
    const double product = x * y;
    low_ += std::fma(x, y, -product);
    add(product);
  }
  void add(const WideSum& other) {
    add(other.high_);
    low_ += other.low_;
  }
  void add_product(double x, const WideSum& y) {
    add_product(x, y.high_);
    low_ += x * y.low_;
  }
  /// The sum is high() + low(); low() is 0 where high() is not finite.
  double high() const { return std::isfinite(high_) ? high_ + low_ : high_; }
  double low() const { return std::isfinite(high_) ? low_ - (high() - high_) : 0.0; }

private:
  double high_ = 0;
  double low_ = 0;
};

/// The same interface in plain double: wide enough for an f32 result, and four times faster. Its
/// error stays below n * 2^-53 * sum|terms|.
class DoubleSum {
public:
  void add(double x) { sum_ += x; }
  void add_product(double x, double y) { sum_ += x * y; }
  void add(const DoubleSum& other) { sum_ += other.sum_; }
  void add_product(double x, const DoubleSum& y) { sum_ += x * y.sum_; }
  double high() const { return sum_; }
  double low() const { return 0.0; }

private:
  double sum_ = 0;
};

template <class T>
struct AccumulatorOf {
  using type = WideSum;
};
template <>
struct AccumulatorOf<float> {
  using type = DoubleSum;
};
/// What sums of T are accumulated in by an oracle.
template <class T>
using Accumulator = typename AccumulatorOf<T>::type;

/// A sum as an oracle keeps it, with the sums of its terms' absolute values and of their squares, which scale
/// the bounds.
template <class T>
struct OracleSum {
  Accumulator<T> sum;
  double magnitude = 0;
  double squares = 0;

  /// One more term.
  void add(double x) {
    sum.add(x);
    magnitude += std::fabs(x);
    squares += x * x;
  }
  /// One more term, x * y in the precision of the sum.
  void add_product(double x, double y) {
    sum.add_product(x, y);
    magnitude += std::fabs(x * y);
    squares += x * y * x * y;
  }
  /// One more term, x * y * z; x * y is taken in twice double's precision.
  void add_product(double x, double y, double z) {
    const double product = x * y;
    sum.add_product(product, z);
    sum.add_product(std::fma(x, y, -product), z);
    magnitude += std::fabs(product * z);
    squares += product * z * product * z;
  }
};

} // namespace ado
