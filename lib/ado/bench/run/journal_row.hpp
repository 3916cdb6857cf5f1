// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A finished row as one line of text, and back.
#pragma once

#include <ado/bench/run/results.hpp>

#include <string>

namespace ado::bench {

/// What was found out about a row; the plan says the rest.
struct FinishedRow {
  std::string name; ///< row_name()
  Measurement portable{}, native{}, reference{};
  std::string no_reference{};
  std::optional<StreamFacts> streamed{};
};

/// "yax/rows:41/cols:67/type:f64/team, team 64": unique in a plan.
std::string row_name(const Problem& problem, const std::string& row);

/// JSON without a newline. Every number reads back with the same bits.
std::string row_line(const RowResult& row);
/// Throws Error if the line is no such row.
FinishedRow read_row(const std::string& line);

} // namespace ado::bench
