// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A finished row as one line of text, and back.
#pragma once

#include <ado/bench/run/results.hpp>

#include <string>

namespace ado {

/// What was found out about a row; all else the plan says.
struct FinishedRow {
  std::string name; ///< row_name()
  Measurement portable{}, native{}, reference{};
  std::string no_reference{};
  std::optional<StreamFacts> streamed{};
};

/// "yax/rows:41/cols:67/type:f64/team, team 64": no other row of a plan has it.
std::string row_name(const Problem& problem, const std::string& row);

/// JSON without a newline. Every number reads back with the same bits.
std::string row_line(const RowResult& row);
/// Throws Error where the line is no such row.
FinishedRow read_row(const std::string& line);

} // namespace ado
