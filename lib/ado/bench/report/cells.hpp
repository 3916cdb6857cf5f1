// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results in the words of the table.
#pragma once

#include <ado/bench/run/results.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ado {

/// "1234", "12.34", "0.1234"; three digits of what is small: "0.00345", "0.000345"
std::string four_digits(double value);
/// "openmp", and "openmp/team" where the portable variant of the row has another name.
std::string native_text(const RowResult& row);
/// "1.029 ", and "1.029?" where that is inconclusive.
std::string ratio_text(const Ratio& ratio, const char* digits_near_1 = "%.3f");
/// Of a few runs: "1.3 ", and "1.3?" where these do not agree.
std::string brief_ratio_text(const Ratio& ratio, bool is_plain);
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

} // namespace ado
