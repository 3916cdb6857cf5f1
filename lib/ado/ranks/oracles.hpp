// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Oracles for ranks whose output depends on other ranks' inputs. All ranks make them together.
// Their data is packed and sent by plain loops that no measured variant uses.
#pragma once

#include <ado/registry/algorithm.hpp>

#include <memory>
#include <vector>

namespace ado::bench {

/// For a rank's rows of the transpose of a matrix of shape s; `a` holds the rank's rows. Fetches
/// the columns of a that become the rank's rows of b, and needs as much memory as these.
std::unique_ptr<Oracle> oracle_of_columns(const Algorithm& transpose, Type type, const Shape& s,
                                          const Array& a);

/// For a rank's rows of y of average_mv. The rank has the same rows of the inputs v and a, v's in
/// all sets.
std::unique_ptr<Oracle> oracle_of_rows(Type type, const std::vector<Array>& inputs);

/// For a scalar to which each rank adds what `mine`, a SumOracle, expects; `terms` counts the terms
/// of all.
std::unique_ptr<Oracle> oracle_of_ranks(const Oracle& mine, Type type, double terms);

} // namespace ado::bench
