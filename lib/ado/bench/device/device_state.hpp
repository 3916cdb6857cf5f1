// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast a GPU was allowed to run around a measurement.
#pragma once

#include <string>

namespace ado::bench {

struct DeviceState {
  bool known = false; ///< else nothing below counts
  double clock_mhz = 0, memory_clock_mhz = 0, watts = 0, celsius = 0;
  /// What holds its clock down, with commas: "power cap", "thermal slowdown"; usually empty.
  std::string throttled{};
};

} // namespace ado::bench
