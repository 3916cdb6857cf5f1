// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contradictions, in a journal or with the plan, that keep a run from going on.
#pragma once

#include <ado/bench/cli/plan.hpp>
#include <ado/bench/run/journal.hpp>

#include <vector>

namespace ado::bench {

/// Throws InputError, naming row and field, if a row contradicts itself or the plan, or if a line
/// is not what the program wrote.
void check_journal(const Journal& journal, const std::vector<Case>& cases, const Options& options,
                   const Device& device, const Device& reference_device);

} // namespace ado::bench
