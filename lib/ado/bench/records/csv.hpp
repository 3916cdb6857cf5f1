// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as CSV.
#pragma once

#include <ado/bench/run/results.hpp>
#include <ado/bench/run/run_facts.hpp>

#include <string>

namespace ado {

/// One line a variant and case, and all that is known of the run in each of them. Lines of what did
/// not run or is wrong have a reason and no time.
std::string csv_text(const Results& results, const RunFacts& facts);

} // namespace ado
