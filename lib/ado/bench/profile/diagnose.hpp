// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --diagnose: experiments that tell waiting for memory from on-chip limits without hardware
// counters, and the rung that cures what they find.
#pragma once

#include <ado/bench/cli/options.hpp>
#include <ado/bench/measure/limiter.hpp>
#include <ado/bench/run/results.hpp>
#include <ado/registry/access_pattern.hpp>

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ado::bench {

/// Experiments with one variant. Times are over that of the case itself.
struct Experiments {
  bool on_host = true;
  double at_twice = 0, at_four_times = 0;           ///< the work; 0: it did not fit the memory
  std::vector<std::pair<int, double>> team_sizes{}; ///< for variants that take one
  RequestCost global{}, shared{};                   ///< predicted; no requests: not declared
  std::optional<double> waves{};                    ///< of the largest grid, if known
};

struct Diagnosis {
  Cause cause = Cause::none;
  std::string reason; ///< one sentence
  std::string cure;   ///< a rung or an option; empty: none
};

/// What follows from them for a variant limited by `limiter` (see limiter_by_rule).
Diagnosis diagnose(const Experiments& found, std::string_view limiter, const Variant& variant);

/// Tests and diagnoses every timed variant whose estimated limiter is latency, or all of them with
/// --diagnose-all, on made data.
void print_diagnoses(std::ostream& out, const Options& options, const Results& results,
                     Device& device);

} // namespace ado::bench
