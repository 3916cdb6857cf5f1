// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers and units as ncu writes them, which is as the locale of its user has them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ado {

/// What a number shows of the locale that it was written in.
enum class Decimal {
  none,      ///< the text is no number
  unshown,   ///< "1234"
  ambiguous, ///< "1,234" and "1.234"
  point,     ///< "72.81", "1,234,567", "1,234.5"
  comma,     ///< "72,81", "1.234.567", "1.234,5"
  wrong      ///< made of digits and separators, and no number in any locale: "1,23,4"
};
Decimal decimal_of(std::string_view text);

/// A number in a locale with a decimal `comma`, or point. Not of wrong ones.
std::optional<double> number_of(std::string_view text, bool comma);

/// In seconds, bytes or hertz, where the unit is one of these or a multiple, also over another one:
/// "Gbyte/second". 1 of what ncu does not scale, as inst or %.
double scale_of(std::string_view unit);
bool is_time(std::string_view unit);
bool is_bytes(std::string_view unit);

} // namespace ado
