// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the person sees: the machine, the ceilings, one table.
#pragma once

#include <ado/harness/results.hpp>
#include <ado/harness/text_table.hpp>

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace ado {

struct Options;

void print_machine(std::ostream& out, const Device& device);
void print_ceilings(std::ostream& out, const Ceilings& ceilings);
/// A column of the table. Those of both sides share a name and a meaning.
struct ReportColumn {
  std::string_view name; ///< by which the legend and `explain` call it
  TextTable::Column column;
  bool (*shown)(const Results&);
  std::string (*cell)(const Results&, const RowResult&);
};
const std::vector<ReportColumn>& report_columns();
/// Those that the table has, and the cells of one row.
std::vector<TextTable::Column> table_columns(const Results& results);
std::vector<std::string> table_cells(const Results& results, const RowResult& row);
/// What the column `verdict` may say.
struct RowVerdict {
  std::string_view name, meaning;
};
const std::vector<RowVerdict>& row_verdicts();
/// What the columns of the table mean, in their order.
void print_legend(std::ostream& out, const Results& results);
/// The table, what its columns mean, and how many results were verified. In colour rows with a wrong
/// result are red.
void print_table(std::ostream& out, const Results& results, bool in_colour = false);
/// Whether the file descriptor is a terminal whose user does not ask for NO_COLOR.
bool takes_colour(int stream);
/// The columns of --launches.
const std::vector<TextTable::Column>& launch_columns();
/// --launches: one line for each kernel that a variant launched.
void print_launches(std::ostream& out, const Results& results);
/// The columns of --stages.
const std::vector<TextTable::Column>& stage_columns();
/// --stages: one line for each variant that has some.
void print_stages(std::ostream& out, const Results& results);
/// "yax f64: rows 1000 x cols 1000".
std::string problem_name(const Problem& problem);
/// The same with its bytes: "yax f64: rows 1000 x cols 1000, 8.0 MB".
std::string problem_text(const Problem& problem, const Results& results);
/// --list: the selected variants by algorithm with what they teach, the backends and this machine.
void print_list(std::ostream& out, const Options& options, const Device& device);

} // namespace ado
