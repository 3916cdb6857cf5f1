// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as the table words them.
#pragma once

#include <ado/bench/run/results.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

/// "1234", "12.34", "0.1234"; small values have three digits: "0.00345", "0.000345"
std::string four_digits(double value);
/// "openmp", or "openmp/team" if the row's portable variant has another name.
std::string native_text(const RowResult& row);
/// "1.029 ", or "1.029?" if inconclusive.
std::string ratio_text(const Ratio& ratio, const char* digits_near_1 = "%.3f");
/// For a few runs: "1.3 ", or "1.3?" if they do not agree.
std::string brief_ratio_text(const Ratio& ratio, bool all_agree);
/// "1.021-1.037"; empty: too few runs for one.
std::string interval_text(const Ratio& ratio, const char* digits_near_1 = "%.3f");
/// "verified", "not verified", "WRONG", "failed", or "-" if the row has not run.
std::string verdict_word(const RowResult& row);
/// The same with what went wrong on which side, and all else to know about its times.
std::string verdict_text(const RowResult& row);

/// What the column `verdict` may say.
struct RowVerdict {
  std::string_view name, meaning;
};
const std::vector<RowVerdict>& row_verdicts();

} // namespace ado::bench
