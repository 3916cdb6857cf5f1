// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is right on a rank whose output depends on the inputs of others. All ranks make these oracles together; what
// they send for them is packed and sent by plain loops, none of which a measured variant uses.
#pragma once

#include <ado/core/algorithm.hpp>

#include <memory>
#include <vector>

namespace ado {

/// Of a rank's rows of the transpose of a matrix of shape s, of which `a` is the rank's rows: brings the columns of a
/// here that become these rows. Takes as much memory as these.
std::unique_ptr<Oracle> oracle_of_columns(const Algorithm& transpose, Type type, const Shape& s,
                                          const Array& a);

/// Of a rank's rows of y of average_mv. Of v and a, the inputs, the rank has the rows of the same numbers, of all sets.
std::unique_ptr<Oracle> oracle_of_rows(Type type, const std::vector<Array>& inputs);

/// Of a scalar to which each rank adds what `mine`, a SumOracle, expects of it; `terms` are those of all.
std::unique_ptr<Oracle> oracle_of_ranks(const Oracle& mine, Type type, double terms);

} // namespace ado
