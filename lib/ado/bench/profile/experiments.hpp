// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --diagnose tries with one variant: more work, data in a cache, one thread, other teams.
#pragma once

#include <ado/bench/cli/options.hpp>
#include <ado/bench/run/results.hpp>
#include <ado/registry/access_pattern.hpp>

#include <optional>
#include <utility>
#include <vector>

namespace ado::bench {

/// Times are over that of the case itself; 0: not tried.
struct Experiments {
  bool on_host = true;
  /// The work at twice and four times the first size, in operations, or in bytes if there are none.
  double work_twice = 2, work_four_times = 4;
  double at_twice = 0, at_four_times = 0; ///< 0 also if it did not fit the memory
  double again = 1;                       ///< of the case once more, the longer over the shorter
  bool fits_cache = false;                ///< whether a cache may hold the case's arrays
  double in_cache = 0;                    ///< per work, at a size that a cache holds
  int threads = 1;
  double one_thread = 0;      ///< on a host
  bool cores_are_free = true; ///< whether all threads calculate as fast as one alone
  std::vector<std::pair<int, double>> team_sizes{}; ///< for variants that take one
  RequestCost global{}, shared{};                   ///< predicted; no requests: not declared
  std::optional<double> waves{};                    ///< of the largest grid, if known
};

/// On made data. Verifies nothing: the row was.
Experiments experiment(const Options& options, const RowResult& row, const Measurement& m,
                       Device& device);

} // namespace ado::bench
