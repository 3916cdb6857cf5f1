// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --sweep: many sizes in one run.
#pragma once

#include <ado/registry/algorithm.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ado::bench {

/// Values by SizeName::name.
using Sizes = std::map<std::string, std::size_t>;

/// One --sweep: the sizes that it sets, all to the same value, and the values that they take.
struct Sweep {
  std::string text;               ///< as it was written
  std::vector<std::string> sizes; ///< by SizeName::name
  std::vector<std::size_t> values;
};

/// More cases than this count as a typo.
inline constexpr std::size_t most_cases = 10'000;

/// Reads SIZE[=SIZE...]=ITEM[,ITEM...]; an item is a size or a range FIRST:LAST:xFACTOR or
/// FIRST:LAST:+STEP. Throws UsageError.
Sweep parse_sweep(const std::string& text);

/// Reads all sweeps; a size may be set only once, here or in `given`. Throws UsageError.
std::vector<Sweep> parse_sweeps(const std::vector<std::string>& texts, const Sizes& given);

/// Every combination of the values; the last sweep changes fastest. Ignores a sweep that sets none
/// of the algorithm's sizes; if none is left, there is one point that sets nothing. Throws
/// UsageError for more than most_cases points.
std::vector<Sizes> sweep_points(const std::vector<Sweep>& sweeps, const Algorithm& algorithm);

} // namespace ado::bench
