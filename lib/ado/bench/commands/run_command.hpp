// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands that need a device.
#pragma once

#include <ado/bench/cli/options.hpp>
#include <ado/bench/device/device.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace ado {

/// What such a command works on.
struct Invocation {
  const Options& options;
  const std::vector<std::string>& command_line;
  Device& device;
  Device& of_reference; ///< the same one mostly
  std::ostream& screen; ///< stderr where a record goes to stdout
};

/// Calls the command that the options ask for, a run where they ask for none. Returns the exit status.
int device_command(const Options& options, const std::vector<std::string>& command_line);

} // namespace ado
