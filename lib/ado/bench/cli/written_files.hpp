// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that a command line has written.
#pragma once

#include <ado/bench/cli/options.hpp>

#include <string>
#include <utility>
#include <vector>

namespace ado {

/// The records that a command line asks for: option and path. Throws UsageError if more than one goes to
/// stdout.
std::vector<std::pair<std::string, std::string>> record_files(const Options& options);
/// Whether one of them goes to stdout, so that the table has to go elsewhere.
bool takes_stdout(const Options& options);

/// Throws UsageError unless each file that is written is different from all others that are named, and
/// InputError unless it is writable: found now, not after the run.
void check_files(const Options& options);

} // namespace ado
