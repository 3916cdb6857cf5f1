// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as JSON, which Google Benchmark's compare.py reads.
#pragma once

#include <ado/bench/run/results.hpp>
#include <ado/bench/run/run_facts.hpp>

#include <string>

namespace ado::bench {

struct Options;

/// One entry per timed repetition, named algorithm/model_variant/sizes/type. What did not run or is
/// wrong has one with `error_occurred` and no time.
std::string json_text(const Results& results, const RunFacts& facts);

/// What --list shows: `algorithms` with their selected `variants`, `backends` and the `device`.
std::string list_json_text(const Options& options, const Device& device);

} // namespace ado::bench
