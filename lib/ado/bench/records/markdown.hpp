// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Results as Markdown.
#pragma once

#include <ado/bench/run/results.hpp>
#include <ado/bench/run/run_facts.hpp>

#include <string>

namespace ado::bench {

/// The table, below a line with machine, build and ceilings.
std::string markdown_text(const Results& results, const RunFacts& facts);

} // namespace ado::bench
