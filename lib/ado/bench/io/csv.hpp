// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comma-separated values as in RFC 4180, except that lines end in a bare line feed: Unix tools want
// it, and every reader accepts it.
#pragma once

#include <charconv>
#include <string>
#include <vector>

namespace ado::bench {

/// A field, in quotes if it needs them.
inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text)
    quoted += c == '"' ? std::string(2, c) : std::string(1, c);
  return quoted + "\"";
}

inline std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t k = 0; k < fields.size(); ++k)
    line += (k == 0 ? "" : ",") + csv_field(fields[k]);
  return line + "\n";
}

/// The shortest text that reads back as the same number; "nan", "inf", "-inf".
inline std::string csv_number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

} // namespace ado::bench
