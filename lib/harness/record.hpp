// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as JSON that Google Benchmark's compare.py reads.
#pragma once

#include <ado/harness/results.hpp>

#include <string>
#include <vector>

namespace ado {

/// Writes the results to `path`, "-" for stdout. A file appears whole or not at all. One entry a
/// timed repetition, named algorithm/model_variant/sizes/type; what did not run or is wrong has one
/// with `error_occurred` and no time. Throws InputError where it cannot be written.
void write_json(const std::string& path, const Results& results,
                const std::vector<std::string>& command_line);

} // namespace ado
