// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace ado {

/// Lines of fields, as RFC 4180 defines them. Throws where a quote stands where none may.
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

} // namespace ado
