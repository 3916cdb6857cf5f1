// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a call of average or average_mv is a part of, where several ranks have sets.
#pragma once

#include <ado/registry/variant.hpp>

#include <cstddef>

namespace ado::bench {

/// The sets of all ranks together.
inline std::size_t sets_of_all(const Call& call) {
  return call.before + call.shape[0] + call.behind;
}

/// The rows of v of all ranks together, a row for each vector of each set.
inline std::size_t rows_of_all(const Call& call) { return sets_of_all(call) * call.shape[1]; }

} // namespace ado::bench
