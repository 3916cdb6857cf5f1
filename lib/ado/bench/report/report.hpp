// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the person sees: the machine, the ceilings, one table, and the answer.
#pragma once

#include <ado/bench/io/text_table.hpp>
#include <ado/bench/run/results.hpp>

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
  std::string_view name; ///< by which `explain` calls it
  TextTable::Column column;
  int drop; ///< where the table is too wide for the screen the highest goes first; 0 stays
  bool (*shown)(const Results&);
  bool (*concerns)(const RowResult&); ///< on a screen it takes a row that it concerns
  std::string (*cell)(const Results&, const RowResult&);
};
const std::vector<ReportColumn>& report_columns();
/// Those that the results have.
std::vector<const ReportColumn*> columns_of(const Results& results);

/// "openmp", and "openmp/team" where the portable variant of the row has another name.
std::string native_text(const RowResult& row);
/// "1.029 ", and "1.029?" where that is inconclusive.
std::string ratio_text(const Ratio& ratio, const char* digits_near_1 = "%.3f");
/// "1.021-1.037"; empty where there are too few runs for one.
std::string interval_text(const Ratio& ratio, const char* digits_near_1 = "%.3f");
/// "verified", "not verified", "WRONG", "failed", or "-" of a row that has not run.
std::string verdict_word(const RowResult& row);
/// The same with what went wrong on which side, and all else that a reader of its times has to know.
std::string verdict_text(const RowResult& row);

/// What the column `verdict` may say.
struct RowVerdict {
  std::string_view name, meaning;
};
const std::vector<RowVerdict>& row_verdicts();
/// Whether the file descriptor is a terminal whose user does not ask for NO_COLOR.
bool takes_colour(int stream);
/// Of the terminal, and screen_columns where it is none.
std::size_t columns_on(int stream);
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
