// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The algorithms on several ranks: each rank's part and its right answer.
#pragma once

#include <ado/registry/algorithm.hpp>

#include <vector>

namespace ado::bench {

/// The distributed algorithms: sets of average and average_mv, elements of vector_add, rows of
/// transpose and yax. Others are left out.
std::vector<Algorithm> records_of_ranks();

} // namespace ado::bench
