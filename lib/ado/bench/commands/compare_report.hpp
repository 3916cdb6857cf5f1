// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compare prints, and what it writes for programs and pages.
#pragma once

#include <ado/bench/commands/compare.hpp>
#include <ado/bench/io/text_table.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace ado::bench {

/// The columns of compare's table.
std::vector<TextTable::Column> compare_columns(const CompareRule& rule = {});
/// Both runs, how they differ, the table, and its totals.
void print_comparison(std::ostream& out, const RunRecord& a, const RunRecord& b,
                      const Comparison& comparison, const CompareRule& rule);
/// The same as JSON: one row per case with the reason of its verdict, also if it was not compared.
std::string comparison_json(const RunRecord& a, const RunRecord& b, const Comparison& comparison,
                            const CompareRule& rule);
/// The same as Markdown.
std::string comparison_markdown(const RunRecord& a, const RunRecord& b,
                                const Comparison& comparison, const CompareRule& rule);

} // namespace ado::bench
