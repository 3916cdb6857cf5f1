// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --diagnose: experiments that tell waiting for memory from limits on the chip, where no counters are
// at hand, and the rung that cures what they find.
#pragma once

#include <ado/bench/cli/options.hpp>
#include <ado/bench/measure/limiter.hpp>
#include <ado/bench/run/results.hpp>
#include <ado/core/access_pattern.hpp>

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ado {

/// What was tried with one variant. Times are over that of the case itself.
struct Experiments {
  bool on_host = true;
  double at_twice = 0, at_four_times = 0;           ///< the work; 0: it did not fit the memory
  std::vector<std::pair<int, double>> team_sizes{}; ///< of variants that take one
  RequestCost global{}, shared{};                   ///< predicted; no requests: not declared
  std::optional<double> waves{};                    ///< of the largest grid, where known
};

struct Diagnosis {
  Cause cause = Cause::none;
  std::string reason; ///< one sentence
  std::string cure;   ///< a rung, or an option; empty: none
};

/// What follows from them for a variant that `limiter` (see limiter_by_rule) limits.
Diagnosis diagnose(const Experiments& found, std::string_view limiter, const Variant& variant);

/// Tries and diagnoses every timed variant whose estimated limiter is latency, or with --diagnose-all
/// each one, on made data.
void print_diagnoses(std::ostream& out, const Options& options, const Results& results,
                     Device& device);

} // namespace ado
