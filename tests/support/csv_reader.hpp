// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace ado::bench {

/// Lines of fields, as in RFC 4180. Throws on a misplaced quote.
inline std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::vector<std::string>& fields = lines.emplace_back(1);
    for (;; ++at) {
      if (at < text.size() && text[at] == '"') {
        for (++at; at < text.size() && (text[at] != '"' || text.substr(at, 2) == "\"\""); ++at) {
          fields.back() += text[at];
          if (text[at] == '"') ++at;
        }
        ++at;
        if (at < text.size() && text[at] != ',' && text[at] != '\n')
          throw std::runtime_error("text after a quote");
      } else {
        for (; at < text.size() && text[at] != ',' && text[at] != '\n'; ++at) {
          if (text[at] == '"') throw std::runtime_error("a quote inside a field");
          fields.back() += text[at];
        }
      }
      if (at >= text.size() || text[at] == '\n') break;
      fields.emplace_back();
    }
  }
  return lines;
}

/// The lines under the titles, by title. Throws if a title appears twice or a field is missing.
inline std::vector<std::map<std::string, std::string>> csv_entries(const std::string& text) {
  const auto lines = read_csv(text);
  std::vector<std::map<std::string, std::string>> entries;
  for (std::size_t k = 1; k < lines.size(); ++k) {
    if (lines[k].size() != lines[0].size()) throw std::runtime_error("a field lacks");
    auto& entry = entries.emplace_back();
    for (std::size_t c = 0; c < lines[0].size(); ++c)
      if (!entry.emplace(lines[0][c], lines[k][c]).second)
        throw std::runtime_error("twice: " + lines[0][c]);
  }
  return entries;
}

} // namespace ado::bench
