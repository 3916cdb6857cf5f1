// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a command line would run, shown before anything runs.
#pragma once

#include <ado/bench/cli/plan.hpp>

#include <iosfwd>

namespace ado::bench {

/// --dry-run: one line per case with its rows, bytes and memory, and whether it fits.
void print_dry_run(std::ostream& out, const std::vector<Case>& cases, const Device& device);
/// One line: how many cases there are, and the memory of the largest.
void print_case_count(std::ostream& out, const std::vector<Case>& cases, const Device& device);

} // namespace ado::bench
