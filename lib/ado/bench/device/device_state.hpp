// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How fast a GPU was allowed to run around a measurement.
#pragma once

#include <string>

namespace ado {

struct DeviceState {
  bool known = false; ///< else all below says nothing
  double clock_mhz = 0, memory_clock_mhz = 0, watts = 0, celsius = 0;
  /// What holds its clock down: "power cap", "thermal slowdown", with commas; mostly empty.
  std::string throttled{};
};

} // namespace ado
