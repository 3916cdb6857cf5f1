// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The records that a command line asks for.
#pragma once

#include <ado/bench/cli/options.hpp>
#include <ado/bench/run/results.hpp>
#include <ado/bench/run/run_facts.hpp>

namespace ado::bench {

/// Writes the requested records, "-" to stdout. A file appears whole or not at all. Throws
/// InputError if one cannot be written.
void write_records(const Options& options, const Results& results, const RunFacts& facts);

} // namespace ado::bench
