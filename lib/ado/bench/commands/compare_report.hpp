// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compare prints, and writes for programs and pages.
#pragma once

#include <ado/bench/commands/compare.hpp>
#include <ado/bench/io/text_table.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace ado {

/// The columns of the table of compare.
std::vector<TextTable::Column> compare_columns(const CompareRule& rule = {});
/// Both runs, how they differ, the table, and what it adds up to.
void print_comparison(std::ostream& out, const RunRecord& a, const RunRecord& b,
                      const Comparison& comparison, const CompareRule& rule);
/// The same as JSON: a row for each case, also of those that were not compared, with the reason of its verdict.
std::string comparison_json(const RunRecord& a, const RunRecord& b, const Comparison& comparison,
                            const CompareRule& rule);
/// The same as Markdown.
std::string comparison_markdown(const RunRecord& a, const RunRecord& b,
                                const Comparison& comparison, const CompareRule& rule);

} // namespace ado
