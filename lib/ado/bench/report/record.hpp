// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as files: JSON that Google Benchmark's compare.py reads, CSV, Markdown, and CSV for the
// p3-analysis-library.
#pragma once

#include <ado/bench/cli/options.hpp>
#include <ado/bench/run/results.hpp>
#include <ado/bench/run/run_facts.hpp>

#include <string>
#include <utility>
#include <vector>

namespace ado {

/// One entry a timed repetition, named algorithm/model_variant/sizes/type; what did not run or is
/// wrong has one with `error_occurred` and no time.
std::string json_text(const Results& results, const RunFacts& facts);
/// One line a variant and case, and all that is known of the run in each of them. Lines of what did
/// not run or is wrong have a reason and no time.
std::string csv_text(const Results& results, const RunFacts& facts);
/// Its columns and what they mean.
std::vector<std::pair<std::string, std::string>> csv_fields();
/// The table, under a line that names machine, build and ceilings.
std::string markdown_text(const Results& results, const RunFacts& facts);
/// One line a problem, platform and application, with the median seconds as figure of merit and
/// both efficiencies; what did not run or is wrong has no figure and the efficiency 0.
std::string p3_csv_text(const Results& results, const RunFacts& facts);

/// Writes the records that a command line asks for, "-" to stdout. A file appears whole or not at all. Throws InputError where one
/// cannot be written.
void write_records(const Options& options, const Results& results, const RunFacts& facts);

} // namespace ado
