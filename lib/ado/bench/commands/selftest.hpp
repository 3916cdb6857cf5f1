// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --selftest: whether the instrument catches what it should.
#pragma once

#include <ado/bench/cli/plan.hpp>
#include <ado/bench/commands/planted_errors.hpp>
#include <ado/bench/measure/measure.hpp>

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace ado::bench {

/// What became of an error.
struct Planted {
  Measurement m{};
  std::string
      unfit{}; ///< why it says nothing of this algorithm: "no effect"; empty: it was planted
  std::string output{}; ///< of several the one that it was planted into
};

/// Measures the best portable variant, or the best by hand, with a planted error on a small square
/// problem: one warm-up run and four timed ones. Of several outputs, `output` is spoiled.
Planted measure_planted(Device& device, const Algorithm& algorithm, const PlantedError& error,
                        std::size_t output = 0);

/// Prints which error is caught in which algorithm. Returns the exit status: 1 if one is missed or
/// a right result is taken for a wrong one.
int selftest(std::ostream& out, Device& device, const Algorithms& algorithms,
             const std::vector<PlantedError>& errors = planted_errors());

} // namespace ado::bench
