// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contradictions that rule out entries of a record before they are compared. Private to the reader.
#pragma once

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

namespace ado::bench {

/// What a record has of one variant in one row of its table.
struct RecordedRow {
  std::span<const nlohmann::json> entries; ///< one, or one per repetition
  std::vector<double> seconds;             ///< one each; empty if there is an error
};

/// The rows of a list of named entries, in order.
std::vector<std::span<const nlohmann::json>> rows_in(std::span<const nlohmann::json> entries);

/// "verified is true, and there is an error"; empty: no contradiction. `first`: the record's first
/// entry, with what all rows share. `by_torch`: from benchmarks/torch_peer.py, which says less.
std::string contradiction(const RecordedRow& row, const nlohmann::json& first, bool by_torch);

} // namespace ado::bench
