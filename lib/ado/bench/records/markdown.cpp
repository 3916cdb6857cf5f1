// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/io/markdown.hpp>
#include <ado/bench/records/markdown.hpp>
#include <ado/bench/report/cells.hpp>
#include <ado/bench/report/fields.hpp>
#include <ado/bench/report/report.hpp>

#include <sstream>

namespace ado::bench {
namespace {

std::string head(const Results& results, const RunFacts& facts) {
  std::ostringstream ceilings;
  print_ceilings(ceilings, results.ceilings);
  return "**" + markdown_plain(facts.device) + "** on " + markdown_plain(facts.host) + " (" +
         markdown_plain(facts.cpu) + "), " + markdown_plain(facts.version) + ", " +
         markdown_plain(facts.compiler) + " " + markdown_plain(facts.compiler_flags) + ", " +
         facts.date + "; " + markdown_plain(ceilings.str()) + "\n";
}

} // namespace

std::string markdown_text(const Results& results, const RunFacts& facts) {
  std::vector<TextTable::Column> columns;
  for (const Field<Side>* column : columns_of(results))
    columns.push_back({one_line(column->shown->title), column->shown->right});
  std::string text = head(results, facts), group;
  for (const std::string& warning : warnings(results))
    text += "\n**" + markdown_plain(warning) + "**\n";
  for (const RowResult& row : results.rows) {
    if (const std::string problem = problem_text(row.problem, results); problem != group) {
      text += "\n" + markdown_plain(problem) + "\n\n" + markdown_head(columns);
      group = problem;
    }
    std::vector<std::string> cells;
    for (const Field<Side>* column : columns_of(results))
      cells.push_back(column->name == "verified" ? verdict_text(row)
                                                 : cell_of(*column, results, row));
    text += markdown_line(cells);
  }
  return text;
}

} // namespace ado::bench
