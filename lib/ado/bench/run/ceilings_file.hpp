// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ceilings that are measured once and kept: --ceilings FILE, and for small arrays without it.
#pragma once

#include <ado/bench/cli/plan.hpp>
#include <ado/bench/measure/ceilings.hpp>
#include <ado/bench/run/run_identity.hpp>

#include <optional>
#include <string>
#include <vector>

namespace ado {

/// Those in the file that a run with the same build, machine and environment left there; absent where
/// there are none, or no such file. Throws InputError where the file holds something else.
std::optional<Ceilings> kept_ceilings(const std::string& path, const RunIdentity& machine);

/// Puts ceilings into the file, which may hold those of other machines, or makes it; whole or not at
/// all. Throws InputError.
void keep_ceilings(const std::string& path, const RunIdentity& machine, const Ceilings& ceilings);

/// The ceilings of a run: those of the run that it goes on with, else those in the file of --ceilings,
/// else measured now, all that its cases need, and kept there. Without --ceilings a run whose arrays are
/// all small takes those that the last run on an idle machine left in the user's cache folder.
Ceilings ceilings_of_run(const Options& options, Device& device, const std::vector<Case>& cases,
                         const RunFacts& facts, const Journal* journal);

} // namespace ado
