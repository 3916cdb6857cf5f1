// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as CSV for the p3-analysis-library.
#pragma once

#include <ado/bench/run/results.hpp>
#include <ado/bench/run/run_facts.hpp>

#include <string>

namespace ado::bench {

/// One line per problem, platform and application, with the median seconds as figure of merit and
/// both efficiencies. What did not run or is wrong has no figure and the efficiency 0.
std::string p3_csv_text(const Results& results, const RunFacts& facts);

} // namespace ado::bench
