// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that a command line writes.
#pragma once

#include <ado/bench/cli/options.hpp>

#include <string>
#include <utility>
#include <vector>

namespace ado::bench {

/// Option and path.
using NamedFiles = std::vector<std::pair<std::string, std::string>>;

/// Those with a path; "-" is stdout. Throws UsageError if more than one goes to stdout.
NamedFiles asked_for(const NamedFiles& records);
/// The records that a command line asks for.
NamedFiles record_files(const Options& options);
/// Whether one of them goes to stdout, so that the table must go elsewhere.
bool takes_stdout(const NamedFiles& records);

/// Checks before the run, not after it: throws UsageError unless each written file differs from all
/// other named ones, and InputError unless it is writable.
void check_written(const NamedFiles& written, NamedFiles named);
/// The same for a whole command line.
void check_files(const Options& options);

} // namespace ado::bench
