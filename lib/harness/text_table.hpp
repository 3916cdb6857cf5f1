// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Aligned columns of text.
#pragma once

#include <algorithm>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace ado {

/// "  name             what it means", in as many lines as the meaning has.
inline void print_meaning(std::ostream& out, std::string name, const std::string& meaning) {
  constexpr std::size_t width = 17;
  std::istringstream lines(meaning);
  for (std::string line; std::getline(lines, line); name.clear())
    out << "  " << name << std::string(width - std::min(width - 1, name.size()), ' ') << line
        << '\n';
}

/// A table whose columns are as wide as their widest cell. `right` columns are for numbers. A title
/// may have two lines.
class TextTable {
public:
  struct Column {
    std::string title;
    bool right = false;
    std::string meaning{}; ///< what `explain` says of it
  };
  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// An empty line between groups of rows.
  void add_gap() { rows_.emplace_back(); }
  /// A line of its own, as wide as it likes.
  void add_title(std::string title) { rows_.push_back({std::move(title)}); }

  void print(std::ostream& out) const {
    std::vector<std::size_t> width;
    std::vector<std::string> upper, lower, rules;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::string& title = columns_[c].title;
      const std::size_t line_end = title.find('\n');
      upper.push_back(line_end == std::string::npos ? "" : title.substr(0, line_end));
      lower.push_back(line_end == std::string::npos ? title : title.substr(line_end + 1));
      width.push_back(std::max(upper[c].size(), lower[c].size()));
      for (const auto& row : rows_)
        if (row.size() > 1) width[c] = std::max(width[c], row[c].size());
      rules.emplace_back(width[c], '-');
    }
    if (std::any_of(upper.begin(), upper.end(), [](const auto& line) { return !line.empty(); }))
      print_row(out, upper, width);
    print_row(out, lower, width);
    print_row(out, rules, width);
    for (const auto& row : rows_)
      print_row(out, row, width);
  }

private:
  void print_row(std::ostream& out, const std::vector<std::string>& row,
                 const std::vector<std::size_t>& width) const {
    std::string line;
    if (row.size() == 1) line = row[0];
    for (std::size_t c = 0; row.size() > 1 && c < row.size(); ++c) {
      const std::string gap(width[c] - row[c].size(), ' ');
      line += (c == 0 ? "" : "  ") + (columns_[c].right ? gap + row[c] : row[c] + gap);
    }
    while (!line.empty() && line.back() == ' ')
      line.pop_back();
    out << line << '\n';
  }

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

} // namespace ado
