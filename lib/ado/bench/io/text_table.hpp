// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Aligned columns of text, and lines that fit a screen.
#pragma once

#include <algorithm>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ado::bench {

/// Columns that any screen has.
inline constexpr std::size_t screen_columns = 80;

/// Where the text of "  label   text" begins; 0 for a line without a label.
inline std::size_t text_column(const std::string& line) {
  const std::size_t label =
      line.starts_with("  ") ? line.find_first_not_of(' ') : std::string::npos;
  const std::size_t label_end = label == std::string::npos ? label : line.find("  ", label);
  return label_end == std::string::npos ? 0 : line.find_first_not_of(' ', label_end);
}

/// The lines of a text. Lines longer than `width` break at spaces and go on below their text.
inline std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line); lines.push_back(line)) {
    const std::size_t column = text_column(line);
    while (line.size() > width) {
      const std::size_t space = line.rfind(' ', width);
      if (space == std::string::npos || space <= column) break;
      lines.push_back(line.substr(0, space));
      line.replace(0, space + 1, column, ' ');
    }
  }
  return lines;
}

/// Prints a text in as many screen lines as it takes.
inline void print_wrapped(std::ostream& out, const std::string& text) {
  for (const std::string& line : wrapped(text, screen_columns))
    out << line << '\n';
}

/// "  name             what it means", in as many screen lines as the meaning takes.
inline void print_meaning(std::ostream& out, std::string name, const std::string& meaning,
                          std::size_t columns = screen_columns) {
  constexpr std::size_t indent = 19;
  for (const std::string& line : wrapped(meaning, columns - indent)) {
    out << "  " << name << std::string(indent - 2 - std::min(indent - 3, name.size()), ' ') << line
        << '\n';
    name.clear();
  }
}

/// "name     piece, piece": a piece that would cross the edge of the screen starts a line below.
/// One that is longer than a line breaks at its spaces.
inline void print_pieces(std::ostream& out, const std::string& name,
                         const std::vector<std::string>& pieces, const std::string& separator) {
  constexpr std::size_t indent = 9;
  std::string line = name + std::string(indent - std::min(indent, name.size()), ' ');
  bool is_first = true;
  for (const std::string& piece : pieces) {
    if (!is_first) line += separator;
    if (!is_first && line.size() + piece.size() >= screen_columns) {
      out << line.substr(0, line.find_last_not_of(' ') + 1) << '\n';
      line = std::string(indent, ' ');
    }
    bool begins = true;
    for (const std::string& part : wrapped(piece, screen_columns - indent - 1)) {
      if (!begins) {
        out << line << '\n';
        line = std::string(indent, ' ');
      }
      line += part;
      begins = false;
    }
    is_first = false;
  }
  out << line << '\n';
}

/// A table whose columns are as wide as their widest cell. `right` columns are for numbers. A title
/// may have two lines. Rows can also be printed one by one if all widths are known before.
class TextTable {
public:
  struct Column {
    std::string title;
    bool right = false;
    std::string meaning{};     ///< what `explain` says of it
    std::size_t least_width{}; ///< for cells printed before others are known
  };
  explicit TextTable(std::vector<Column> columns, std::size_t gap = 2)
      : columns_(std::move(columns)), gap_(gap, ' ') {
    for (const Column& column : columns_) {
      const std::size_t line_end = column.title.find('\n');
      upper_.push_back(line_end == std::string::npos ? "" : column.title.substr(0, line_end));
      lower_.push_back(line_end == std::string::npos ? column.title
                                                     : column.title.substr(line_end + 1));
      width_.push_back(std::max({upper_.back().size(), lower_.back().size(), column.least_width}));
    }
  }

  /// Makes the columns wide enough for a row.
  void fit(const std::vector<std::string>& cells) {
    for (std::size_t c = 0; cells.size() > 1 && c < cells.size(); ++c)
      width_[c] = std::max(width_[c], cells[c].size());
  }
  void add(std::vector<std::string> cells) {
    fit(cells);
    rows_.push_back(std::move(cells));
  }
  /// An empty line between groups of rows.
  void add_gap() { rows_.emplace_back(); }
  /// A line of its own, however wide.
  void add_title(std::string title) { rows_.push_back({std::move(title)}); }

  std::size_t width() const {
    std::size_t sum = gap_.size() * (columns_.size() - 1);
    for (const std::size_t width : width_)
      sum += width;
    return sum;
  }
  void print_head(std::ostream& out) const {
    if (std::any_of(upper_.begin(), upper_.end(), [](const auto& line) { return !line.empty(); }))
      out << line_of(upper_) << '\n';
    out << line_of(lower_) << '\n';
    std::vector<std::string> rules;
    for (const std::size_t width : width_)
      rules.emplace_back(width, '-');
    out << line_of(rules) << '\n';
  }
  /// If the screen is too narrow, the widest text column goes on below itself.
  void print(std::ostream& out) const {
    std::size_t widest = 0;
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (!columns_[c].right && (columns_[widest].right || width_[c] > width_[widest])) widest = c;
    const std::size_t others = width() - width_[widest];
    if (width() <= screen_columns || columns_[widest].right || others + 20 > screen_columns)
      return print_lines(out, rows_);
    TextTable narrow(columns_, gap_.size());
    for (std::vector<std::string> row : rows_) {
      if (row.size() < columns_.size()) {
        narrow.rows_.push_back(std::move(row));
        continue;
      }
      std::vector<std::string> lines = wrapped(row[widest], screen_columns - others);
      if (lines.empty()) lines.emplace_back();
      for (std::string& line : lines) {
        row[widest] = std::move(line);
        narrow.add(row);
        std::fill(row.begin(), row.end(), "");
      }
    }
    narrow.print_lines(out, narrow.rows_);
  }
  /// The cells side by side.
  std::string line_of(const std::vector<std::string>& cells) const {
    if (cells.size() == 1) return cells[0];
    std::string line;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string space(width_[c] - std::min(width_[c], cells[c].size()), ' ');
      line += (c == 0 ? "" : gap_) + (columns_[c].right ? space + cells[c] : cells[c] + space);
    }
    return line.substr(0, line.find_last_not_of(' ') + 1);
  }

private:
  void print_lines(std::ostream& out, const std::vector<std::vector<std::string>>& rows) const {
    print_head(out);
    for (const auto& row : rows)
      out << line_of(row) << '\n';
  }

  std::vector<Column> columns_;
  std::string gap_;
  std::vector<std::string> upper_, lower_; ///< lines of the titles
  std::vector<std::size_t> width_;
  std::vector<std::vector<std::string>> rows_;
};

} // namespace ado::bench
