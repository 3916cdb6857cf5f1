// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's name: `miniapp`, or that of a project's own program.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

namespace ado::bench {

/// Starts messages, and stands in the commands that they recommend.
inline std::string program_name = "miniapp";

/// How the kernels were compiled. Only the program knows: the instrument may be built differently.
struct KernelBuild {
  std::string compiler = "unknown", flags{};
  std::string type = "unknown"; ///< release, or debug
};
inline KernelBuild kernel_build;

/// Takes the last part of argv[0], or the name of the script `ado` that started it.
inline void set_program_name(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  if (!path.empty()) program_name = path;
  if (const char* script = std::getenv("ADO_PROGRAM")) program_name = script;
}

} // namespace ado::bench
