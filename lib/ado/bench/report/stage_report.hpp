// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --stages: what the stages of streams took.
#pragma once

#include <ado/bench/run/results.hpp>

#include <iosfwd>

namespace ado {

/// --stages: one line for each variant that has some.
void print_stages(std::ostream& out, const Results& results);

} // namespace ado
