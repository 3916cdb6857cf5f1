// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ceilings measured once and kept: in --ceilings FILE, or without it, for small arrays, in a cache.
#pragma once

#include <ado/bench/cli/plan.hpp>
#include <ado/bench/measure/ceilings.hpp>
#include <ado/bench/run/run_identity.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ado::bench {

/// What a run with the same build, machine and environment left in the file; absent: nothing, or no
/// file. Throws InputError if the file holds something else.
std::optional<Ceilings> kept_ceilings(const std::string& path, const RunIdentity& machine);

/// Adds ceilings to the file, which may hold other machines', or creates it; whole or not at all.
/// Throws InputError.
void keep_ceilings(const std::string& path, const RunIdentity& machine, const Ceilings& ceilings);

/// A run's ceilings: from the run that it resumes, else from the file of --ceilings, else measured
/// now, all that its cases need, and kept there. Without --ceilings, a run with only small arrays
/// takes those that the last run on an idle machine left in the user's cache folder.
Ceilings ceilings_of_run(const Options& options, Device& device, const std::vector<Case>& cases,
                         const RunFacts& facts, const Journal* journal);

} // namespace ado::bench
