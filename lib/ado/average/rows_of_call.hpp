// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which rows of all ranks a call of average or average_mv has.
#pragma once

#include <ado/core/row_plan.hpp>
#include <ado/core/variant.hpp>

#include <cstddef>

namespace ado {

/// The sets of all ranks together.
inline std::size_t sets_of_all(const Call& call) {
  return call.before + call.shape[0] + call.behind;
}

/// The rows of v, a row for each vector of each set.
inline detail::RowsOfAll rows_of_all(const Call& call) {
  const std::size_t length = call.shape[1];
  return detail::rows_of_all(sets_of_all(call), length, call.before, call.before + call.shape[0], 0,
                             length);
}

} // namespace ado
