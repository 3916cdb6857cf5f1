// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cases that a command line asks for.
#pragma once

#include <ado/bench/cli/rows.hpp>
#include <ado/bench/data/data.hpp>
#include <ado/bench/data/workbench.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

/// One problem and its rows.
struct Case {
  Problem problem;
  InputFiles files;
  std::vector<Row> rows;
};

/// The cases, in the order of the options; an algorithm without a swept size has one per type.
/// Throws UsageError or InputError if options contradict each other or files, InvalidArgument if
/// sizes overflow.
std::vector<Case> plan_cases(const Options& options, const Device& device);

/// The algorithms that the options select; average_mv, transpose and yax if they name none.
using Algorithms = std::vector<const Algorithm*>;
Algorithms selected_algorithms(const Options& options);

/// The variants of all rows; a twin of several rows appears more than once.
std::vector<const Variant*> variants_of(const Case& c);

/// Whether `name`, of --input or --output, is this array: "a", or "yax.a".
bool is_array(const std::string& name, const Algorithm& algorithm, const ArraySpec& spec);

/// Number of rows in all cases.
std::size_t row_count(const std::vector<Case>& cases);

} // namespace ado::bench
