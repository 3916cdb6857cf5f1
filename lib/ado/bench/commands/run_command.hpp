// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The commands that need a device.
#pragma once

#include <ado/bench/cli/options.hpp>
#include <ado/bench/device/device.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace ado::bench {

/// What these commands work on.
struct Invocation {
  const Options& options;
  const std::vector<std::string>& command_line;
  Device& device;
  Device& of_reference; ///< usually the same one
  std::ostream& screen; ///< stderr if a record goes to stdout
};

/// Runs the command that the options name, by default a measuring run. Returns the exit status.
int device_command(const Options& options, const std::vector<std::string>& command_line);

} // namespace ado::bench
