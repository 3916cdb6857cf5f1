// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files that a command line has written.
#pragma once

#include <ado/bench/cli/options.hpp>

#include <string>
#include <utility>
#include <vector>

namespace ado {

/// Option and path.
using NamedFiles = std::vector<std::pair<std::string, std::string>>;

/// Those that have a path, which may be "-" for stdout. Throws UsageError if that of more than one is.
NamedFiles asked_for(const NamedFiles& records);
/// The records that a command line asks for.
NamedFiles record_files(const Options& options);
/// Whether one of them goes to stdout, so that the table has to go elsewhere.
bool takes_stdout(const NamedFiles& records);

/// Throws UsageError unless each file that is written is different from all others that are named, and
/// InputError unless it is writable: found now, not after the run.
void check_written(const NamedFiles& written, NamedFiles named);
/// The same of a command line.
void check_files(const Options& options);

} // namespace ado
