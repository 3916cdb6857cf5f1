// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers and units as ncu writes them, in its user's locale.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ado::bench {

/// What a number shows of its locale.
enum class Decimal {
  none,      ///< the text is no number
  unshown,   ///< "1234"
  ambiguous, ///< "1,234" and "1.234"
  point,     ///< "72.81", "1,234,567", "1,234.5"
  comma,     ///< "72,81", "1.234.567", "1.234,5"
  wrong      ///< digits and separators, but no number in any locale: "1,23,4"
};
Decimal decimal_of(std::string_view text);

/// The number with a decimal comma or point. Not for wrong ones.
std::optional<double> number_of(std::string_view text, bool comma);

/// Factor to seconds, bytes or hertz for their multiples, also over another unit: "Gbyte/second". 1
/// for what ncu does not scale, as inst or %.
double scale_of(std::string_view unit);
bool is_time(std::string_view unit);
bool is_bytes(std::string_view unit);

} // namespace ado::bench
