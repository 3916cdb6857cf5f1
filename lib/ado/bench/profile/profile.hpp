// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --profile: runs each variant of each case once, untimed, for a profiler to watch.
#pragma once

#include <ado/bench/cli/plan.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace ado::bench {

/// Arguments that select one variant, side, size and type of a run: `miniapp --profile ...`.
std::string profile_arguments(const Case& c, const Row& row, const Variant& variant,
                              const Options& options);
/// The commands that profile it: Nsight Compute, whose file --ncu-csv reads, and Nsight Systems.
std::string ncu_command(const std::string& program, const std::string& arguments,
                        const std::string& file);
std::string nsys_command(const std::string& program, const std::string& arguments,
                         const std::string& file);

/// Runs each variant of the cases once, on a GPU between cudaProfilerStart and Stop, and then
/// verifies it. First prints the commands that profile this very case. Returns the exit status.
int profile_cases(std::ostream& out, const Options& options, const std::vector<Case>& cases,
                  Device& device, const std::string& program);

} // namespace ado::bench
