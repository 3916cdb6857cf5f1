// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as CSV.
#pragma once

#include <ado/bench/run/results.hpp>
#include <ado/bench/run/run_facts.hpp>

#include <string>

namespace ado::bench {

/// One line per variant and case, each with all that is known of the run. What did not run or is
/// wrong has a reason and no time.
std::string csv_text(const Results& results, const RunFacts& facts);

} // namespace ado::bench
