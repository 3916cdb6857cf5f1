// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `miniapp compare`: two results, or several of each of two programs.
#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): as CLI11 calls itself
class App;
}

namespace ado::bench {

/// The command; `arguments` are those after "compare". Returns the exit status: 0; 1 a result of B
/// was wrong (not with --fail-on none); 4 something is slower, 5 something is inconclusive, if
/// --fail-on names it. Throws UsageError, and InputError, also if the times of a case hold
/// different things.
int compare_command(const std::vector<std::string>& arguments, std::ostream& out);

/// Its options, for completion.
std::shared_ptr<const CLI::App> compare_options();

} // namespace ado::bench
