// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as text.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

namespace ado::bench {

/// `value` in a printf format for one double, with surrounding text.
inline std::string number(const char* format, double value) {
  char text[48];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

/// "1 line", "2 lines": `thing` is a noun whose plural ends in s.
inline std::string counted(std::size_t count, const std::string& thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

/// "512 bytes", "8.0 kB", "34.4 GB"
inline std::string bytes_text(double bytes) {
  if (bytes < 1e3) return counted(static_cast<std::size_t>(bytes), "byte");
  if (bytes < 1e6) return number("%.1f kB", bytes / 1e3);
  return bytes < 1e9 ? number("%.1f MB", bytes / 1e6) : number("%.1f GB", bytes / 1e9);
}

} // namespace ado::bench
