// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --diagnose: experiments that tell waiting for memory from on-chip limits without hardware
// counters, and the rung that cures what they find.
#pragma once

#include <ado/bench/cli/options.hpp>
#include <ado/bench/measure/limiter.hpp>
#include <ado/bench/profile/experiments.hpp>
#include <ado/bench/run/results.hpp>

#include <iosfwd>
#include <string>
#include <string_view>

namespace ado::bench {

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
