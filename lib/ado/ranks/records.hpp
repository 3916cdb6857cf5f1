// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The algorithms as several ranks have them: which part each has, and what is right there.
#pragma once

#include <ado/core/algorithm.hpp>

#include <vector>

namespace ado {

/// Those that are dealt out: sets of average and average_mv, elements of vector_add, rows of transpose and yax. The
/// others are left out.
std::vector<Algorithm> records_of_ranks();

} // namespace ado
