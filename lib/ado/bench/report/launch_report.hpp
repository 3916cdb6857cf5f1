// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --launches: what each variant launched on a GPU.
#pragma once

#include <ado/bench/run/results.hpp>

#include <iosfwd>

namespace ado::bench {

/// --launches: one line per kernel that a variant launched.
void print_launches(std::ostream& out, const Results& results);

} // namespace ado::bench
