// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --stages: how long the stages of streams took.
#pragma once

#include <ado/bench/run/results.hpp>

#include <iosfwd>

namespace ado::bench {

/// --stages: one line per variant that has some.
void print_stages(std::ostream& out, const Results& results);

} // namespace ado::bench
