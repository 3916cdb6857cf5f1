// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a GPU was asked to run: facts that explain a gap between twins.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ado::bench {

/// One kernel launch. Threads and bytes of shared memory are per block.
struct LaunchFacts {
  std::string kernel; ///< its readable name
  std::array<int, 3> grid{}, block{};
  int registers = 0; ///< per thread
  int static_shared_bytes = 0, dynamic_shared_bytes = 0;
  int local_bytes = 0;    ///< per thread: arrays on its stack and spilled registers
  int resident_warps = 0; ///< that fit a multiprocessor at once, in theory; 0: unknown
  int maximum_warps = 0;  ///< that a multiprocessor can hold
  std::string limited_by; ///< what keeps resident_warps below the maximum
  double waves = 0;       ///< blocks of the grid over those that fit the GPU at once; 0: unknown

  double occupancy() const {
    return maximum_warps == 0 ? 0 : static_cast<double>(resident_warps) / maximum_warps;
  }
};

/// What one call launched, in order.
struct Launches {
  std::vector<LaunchFacts> kernels;
  std::string unknown_because; ///< why they are unknown; empty: they are known

  /// Of the kernel with most waves; nothing if unknown.
  std::optional<double> waves() const {
    double most = 0;
    for (const LaunchFacts& facts : kernels)
      most = std::max(most, facts.waves);
    return most > 0 ? std::optional(most) : std::nullopt;
  }
};

} // namespace ado::bench
