// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs planned cases one after the other.
#pragma once

#include <ado/harness/plan.hpp>
#include <ado/harness/report.hpp>

#include <vector>

namespace ado {

/// Makes or reads the data of each case, runs its rows, compares with the reference and writes
/// --output files. What fails becomes a row with its reason; wrong input files throw InputError
/// before anything is run. Progress goes to stderr where that is a terminal.
Results run_cases(const Options& options, const std::vector<Case>& cases, Device& device,
                  const Ceilings& ceilings);

/// Exit status of a run: 0 all verified, 1 a result was wrong, 3 something had no memory or no
/// device and nothing was wrong.
int exit_status(const Results& results);

} // namespace ado
