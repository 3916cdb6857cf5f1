// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What entries of a record must not contradict, before they are compared. Private to the reader.
#pragma once

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

namespace ado {

/// What a record has of one variant in one row of its table.
struct RecordedRow {
  std::span<const nlohmann::json> entries; ///< one, or one a repetition
  std::vector<double> seconds;             ///< of each; empty where there is an error
};

/// The rows of a list of entries that are objects with a name, in their order.
std::vector<std::span<const nlohmann::json>> rows_in(std::span<const nlohmann::json> entries);

/// "verified is true, and there is an error"; empty: nothing is wrong. `first`: the record's first
/// entry, with what all rows have in common. `by_torch`: benchmarks/torch_peer.py says less.
std::string contradiction(const RecordedRow& row, const nlohmann::json& first, bool by_torch);

} // namespace ado
