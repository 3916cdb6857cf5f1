// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/profile/ncu_numbers.hpp>

#include <algorithm>
#include <charconv>

namespace ado::bench {
namespace {

constexpr std::size_t longest_number = 100; ///< anything longer is text

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The text with ' for apostrophes and spaces, Unicode ones too, that separate thousands.
std::string with_one_mark(std::string_view text) {
  std::string plain(text);
  for (const std::string_view mark : {"\u202f", "\u00a0", "\u2019", " "})
    for (std::size_t at = 0; (at = plain.find(mark, at)) != plain.npos;)
      plain.replace(at, mark.size(), "'");
  return plain;
}

/// "1,234,567" with its mark: groups of three after one to three digits that do not begin with 0.
bool is_grouped(std::string_view digits, char mark) {
  std::size_t group = 0, groups = 0;
  for (const char c : digits)
    if (c != mark) {
      if (!is_digit(c)) return false;
      ++group;
    } else if (group == 0 || group > 3 || (groups++ > 0 && group != 3)) {
      return false;
    } else {
      group = 0;
    }
  return group == 3 && groups > 0 && digits[0] != '0';
}

/// A number without its sign and exponent.
struct Parts {
  std::string digits;
  bool has_exponent = false;
};
std::optional<Parts> parts_of(std::string_view text) {
  if (text.size() > longest_number) return {};
  std::string plain = with_one_mark(text);
  if (!plain.empty() && (plain[0] == '-' || plain[0] == '+')) plain.erase(0, 1);
  const std::size_t exponent = std::min(plain.find_first_of("eE"), plain.size());
  std::string_view power = std::string_view(plain).substr(exponent);
  if (!power.empty()) {
    power.remove_prefix(power.size() > 1 && (power[1] == '-' || power[1] == '+') ? 2 : 1);
    if (power.empty() || !std::all_of(power.begin(), power.end(), is_digit)) return {};
  }
  const std::string digits = plain.substr(0, exponent);
  if (digits.find_first_not_of("0123456789,.'") != digits.npos ||
      std::none_of(digits.begin(), digits.end(), is_digit))
    return {};
  return Parts{digits, exponent < plain.size()};
}

} // namespace

Decimal decimal_of(std::string_view text) {
  const auto parts = parts_of(text);
  if (!parts) return Decimal::none;
  const std::string& digits = parts->digits;
  const auto count = [&](char c) { return std::count(digits.begin(), digits.end(), c); };
  if (count('\'') > 0) { // separates thousands, so any other mark is the decimal one
    const std::size_t decimal = std::min(digits.find_first_of(",."), digits.size());
    const bool fits = is_grouped(digits.substr(0, decimal), '\'') && count(',') + count('.') <= 1;
    if (!fits) return text.find(' ') == text.npos ? Decimal::wrong : Decimal::none;
    return decimal == digits.size() ? Decimal::unshown
           : digits[decimal] == ',' ? Decimal::comma
                                    : Decimal::point;
  }
  if (count(',') + count('.') == 0) return Decimal::unshown;
  const std::size_t last = digits.find_last_of(",.");
  const char mark = digits[last], other = mark == ',' ? '.' : ',';
  const Decimal by_mark = mark == ',' ? Decimal::comma : Decimal::point;
  const Decimal by_groups = mark == ',' ? Decimal::point : Decimal::comma;
  if (count(other) > 0)
    return count(mark) == 1 && is_grouped(digits.substr(0, last), other) ? by_mark : Decimal::wrong;
  if (count(mark) > 1) return is_grouped(digits, mark) ? by_groups : Decimal::wrong;
  return is_grouped(digits, mark) && !parts->has_exponent ? Decimal::ambiguous : by_mark;
}

std::optional<double> number_of(std::string_view text, bool comma) {
  std::string plain = with_one_mark(text);
  std::erase(plain, '\'');
  std::erase(plain, comma ? '.' : ',');
  std::replace(plain.begin(), plain.end(), ',', '.');
  if (plain.starts_with('+')) plain.erase(0, 1);
  double value = 0;
  const char* const end = plain.data() + plain.size();
  const auto [rest, error] = std::from_chars(plain.data(), end, value);
  if (error != std::errc() || rest != end || !(value - value == 0)) return std::nullopt;
  return value;
}

namespace {

/// 1000 for "K", ...; 0: no prefix.
double prefix(std::string_view text) {
  constexpr std::pair<std::string_view, double> prefixes[] = {
      {"", 1},    {"n", 1e-9}, {"u", 1e-6}, {"m", 1e-3}, {"K", 1e3},
      {"k", 1e3}, {"M", 1e6},  {"G", 1e9},  {"T", 1e12}};
  for (const auto& [name, factor] : prefixes)
    if (name == text) return factor;
  return 0;
}

/// The factor if the unit is a multiple of one of these; 0: it is not.
double multiple_of(std::string_view unit, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (unit.ends_with(name))
      if (const double factor = prefix(unit.substr(0, unit.size() - name.size())); factor > 0)
        return factor;
  return 0;
}
double seconds_in(std::string_view unit) { return multiple_of(unit, {"second", "sec", "s"}); }
double bytes_in(std::string_view unit) { return multiple_of(unit, {"byte", "bytes", "B"}); }

double scale_of_one(std::string_view unit) {
  for (const double factor : {seconds_in(unit), bytes_in(unit), multiple_of(unit, {"hz", "Hz"})})
    if (factor > 0) return factor;
  return 1;
}

} // namespace

bool is_time(std::string_view unit) { return seconds_in(unit) > 0; }
bool is_bytes(std::string_view unit) { return bytes_in(unit) > 0; }

double scale_of(std::string_view unit) {
  const std::size_t slash = unit.find('/');
  if (slash == unit.npos) return scale_of_one(unit);
  return scale_of_one(unit.substr(0, slash)) / scale_of_one(unit.substr(slash + 1));
}

} // namespace ado::bench
