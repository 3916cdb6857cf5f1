// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all processes that measure one run share.
#pragma once

#include <ado/bench/cli/plan.hpp>
#include <ado/bench/run/journal.hpp>
#include <ado/bench/run/run_facts.hpp>

#include <iosfwd>
#include <memory>
#include <vector>

namespace ado::bench {

/// Build, machine and environment.
RunIdentity machine_identity(const RunFacts& facts, const Device& device);

/// The number of rows and a checksum of their names and variants, in order.
std::string plan_text(const std::vector<Case>& cases);

/// Program, command line (except where results go), plan, input files, build, machine, environment.
RunIdentity run_identity(const Options& options, const std::vector<Case>& cases,
                         const RunFacts& facts, const Device& device);

/// The journal beside the file of --json, FILE.partial; without such a file one in memory for
/// restarts, or none. Says on `out` what it resumes. Throws like Journal.
std::unique_ptr<Journal> open_journal(const Options& options, const std::vector<Case>& cases,
                                      const RunFacts& facts, const Device& device,
                                      std::ostream& out);

} // namespace ado::bench
