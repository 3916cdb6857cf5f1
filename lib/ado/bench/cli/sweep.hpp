// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --sweep: many sizes in one run.
#pragma once

#include <ado/core/algorithm.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace ado {

/// Values by SizeName::name.
using Sizes = std::map<std::string, std::size_t>;

/// One --sweep: the sizes that it sets, all to the same value, and the values that they take.
struct Sweep {
  std::string text;               ///< as it was written
  std::vector<std::string> sizes; ///< by SizeName::name
  std::vector<std::size_t> values;
};

/// More cases than these are a slip of the pen.
inline constexpr std::size_t most_cases = 10'000;

/// Reads SIZE[=SIZE...]=ITEM[,ITEM...], where an item is a size or a range FIRST:LAST:xFACTOR or
/// FIRST:LAST:+STEP. Throws UsageError.
Sweep parse_sweep(const std::string& text);

/// Reads all of them; a size may be set once, here or in `given`. Throws UsageError.
std::vector<Sweep> parse_sweeps(const std::vector<std::string>& texts, const Sizes& given);

/// Every combination of the values, those of the last sweep changing fastest. A sweep that sets none
/// of the algorithm's sizes does not count, so without any there is one point that sets nothing.
/// Throws UsageError where there are more than most_cases.
std::vector<Sizes> sweep_points(const std::vector<Sweep>& sweeps, const Algorithm& algorithm);

} // namespace ado
