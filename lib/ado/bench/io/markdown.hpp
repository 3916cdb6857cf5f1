// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Markdown text and tables.
#pragma once

#include <ado/bench/io/text_table.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

/// Escapes text so that Markdown shows it as it is, in a table cell too: on one line, without the
/// next line's indent.
inline std::string markdown_plain(const std::string& text) {
  std::string escaped;
  bool indent = false;
  for (const char c : text) {
    if (indent && c == ' ') continue;
    indent = c == '\n' || c == '\r';
    if (indent) {
      escaped += ' ';
      continue;
    }
    if (std::string_view("\\|<*`[").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

inline std::string markdown_line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells)
    text += " " + markdown_plain(cell) + " |";
  return text + "\n";
}

/// The titles and the rule below them, which sets the alignment.
inline std::string markdown_head(const std::vector<TextTable::Column>& columns) {
  std::vector<std::string> titles;
  std::string rule = "|";
  for (const TextTable::Column& column : columns) {
    titles.push_back(column.title);
    rule += column.right ? "---:|" : "---|";
  }
  return markdown_line(titles) + rule + "\n";
}

} // namespace ado::bench
