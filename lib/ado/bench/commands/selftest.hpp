// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --selftest: whether the instrument catches what it is there to catch.
#pragma once

#include <ado/bench/cli/plan.hpp>
#include <ado/bench/commands/planted_errors.hpp>
#include <ado/bench/measure/measure.hpp>

#include <iosfwd>
#include <vector>

namespace ado {

/// The portable best variant with an error in it on a small square problem, measured as any other:
/// a run to warm up and four timed ones.
Measurement measure_planted(Device& device, const Algorithm& algorithm, const PlantedError& error);

/// Prints which error is caught in which algorithm. Returns the exit status: 1 where one is not, or
/// where a right result is taken for a wrong one.
int selftest(std::ostream& out, Device& device, const Algorithms& algorithms,
             const std::vector<PlantedError>& errors = planted_errors());

} // namespace ado
