// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which cases a command line asks for.
#pragma once

#include <ado/bench/cli/rows.hpp>
#include <ado/bench/data/data.hpp>
#include <ado/bench/data/workbench.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace ado {

/// One problem and its rows.
struct Case {
  Problem problem;
  InputFiles files;
  std::vector<Row> rows;
};

/// The cases, in the order of the options; an algorithm that has no swept size has one a type. Throws
/// UsageError or InputError where options contradict each other or files, InvalidArgument where sizes
/// overflow.
std::vector<Case> plan_cases(const Options& options, const Device& device);

/// The algorithms that the options select; average_mv, transpose and yax where they name none.
using Algorithms = std::vector<const Algorithm*>;
Algorithms selected_algorithms(const Options& options);

/// The variants of all rows; a twin of several rows more than once.
std::vector<const Variant*> variants_of(const Case& c);

/// Rows of all cases.
std::size_t row_count(const std::vector<Case>& cases);

} // namespace ado
