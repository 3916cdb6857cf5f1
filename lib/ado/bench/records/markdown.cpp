// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <ado/bench/records/markdown.hpp>
#include <ado/bench/report/cells.hpp>
#include <ado/bench/report/fields.hpp>
#include <ado/bench/report/report.hpp>

#include <sstream>

namespace ado {
namespace {

/// Text that a reader of Markdown shows as it is, in a table cell too: on one line, without the indent of the next.
std::string plain(const std::string& text) {
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

std::string line(const std::vector<std::string>& cells) {
  std::string text = "|";
  for (const std::string& cell : cells)
    text += " " + plain(cell) + " |";
  return text + "\n";
}

std::string head(const Results& results, const RunFacts& facts) {
  std::ostringstream ceilings;
  print_ceilings(ceilings, results.ceilings);
  return "**" + plain(facts.device) + "** on " + plain(facts.host) + " (" + plain(facts.cpu) +
         "), " + plain(facts.version) + ", " + plain(facts.compiler) + " " +
         plain(facts.compiler_flags) + ", " + facts.date + "; " + plain(ceilings.str()) + "\n";
}

/// The column titles and the rule under them, which says how to align.
std::string table_head(const Results& results) {
  std::vector<std::string> titles;
  std::string rule = "|";
  for (const Field<Side>* column : columns_of(results)) {
    titles.push_back(one_line(column->shown->title));
    rule += column->shown->right ? "---:|" : "---|";
  }
  return line(titles) + rule + "\n";
}

} // namespace

std::string markdown_text(const Results& results, const RunFacts& facts) {
  std::string text = head(results, facts), group;
  for (const std::string& warning : warnings(results))
    text += "\n**" + plain(warning) + "**\n";
  for (const RowResult& row : results.rows) {
    if (const std::string problem = problem_text(row.problem, results); problem != group) {
      text += "\n" + plain(problem) + "\n\n" + table_head(results);
      group = problem;
    }
    std::vector<std::string> cells;
    for (const Field<Side>* column : columns_of(results))
      cells.push_back(column->name == "verified" ? verdict_text(row)
                                                 : cell_of(*column, results, row));
    text += line(cells);
  }
  return text;
}

} // namespace ado
