// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a journal must not contradict, itself or the plan, before a run goes on from it.
#pragma once

#include <ado/bench/cli/plan.hpp>
#include <ado/bench/run/journal.hpp>

#include <vector>

namespace ado {

/// Throws InputError that names row and field where a row contradicts itself or the plan, and where
/// a line is not what the program wrote.
void check_journal(const Journal& journal, const std::vector<Case>& cases, const Options& options,
                   const Device& device, const Device& reference_device);

} // namespace ado
