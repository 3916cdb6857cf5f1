// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums in more precision than the result has, for oracles. They are right with any user flags: with
// -ffast-math a compiler assumes that there is no NaN, and that (a + b) - a is b.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace ado::bench {

/// By the bits: with -ffast-math std::isnan() is always false.
inline bool is_nan(double x) { return std::bit_cast<std::uint64_t>(x) << 1 > 0x7ffull << 53; }
inline bool is_finite(double x) { return std::bit_cast<std::uint64_t>(x) << 1 < 0x7ffull << 53; }

/// The same number, hidden from the compiler: it rounds x and cancels nothing that x is made of.
inline double rounded(double x) {
#if defined(__x86_64__)
  asm("" : "+x"(x));
#elif defined(__aarch64__)
  asm("" : "+w"(x));
#else
  asm("" : "+m"(x));
#endif
  return x;
}

/// A sum of doubles carried in twice double's precision (Knuth's TwoSum, Dekker's product by fma;
/// Ogita, Rump, Oishi, "Accurate sum and dot product", 2005). Its error stays below n^2 * 2^-104 *
/// sum|terms|. Infinities and NaN behave as in a plain sum.
class WideSum {
public:
  void add(double x) {
    const double sum = rounded(high_ + x);
    const double of_x = rounded(sum - high_), of_high = rounded(sum - of_x);
    low_ += rounded(rounded(high_ - of_high) + rounded(x - of_x));
    high_ = sum;
  }
  void add_product(double x, double y) {
    const double product = rounded(x * y);
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
  double high() const { return is_finite(high_) ? rounded(high_ + low_) : high_; }
  double low() const { return is_finite(high_) ? low_ - rounded(high() - high_) : 0.0; }

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
/// What an oracle accumulates sums of T in.
template <class T>
using Accumulator = typename AccumulatorOf<T>::type;

/// A sum as an oracle keeps it, with the sums of its terms' absolute values and squares, which
/// scale the bounds.
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
  /// One more term, x * y * z, with x * y in twice double's precision.
  void add_product(double x, double y, double z) {
    const double product = rounded(x * y);
    sum.add_product(product, z);
    sum.add_product(std::fma(x, y, -product), z);
    magnitude += std::fabs(product * z);
    squares += product * z * product * z;
  }
};

} // namespace ado::bench
