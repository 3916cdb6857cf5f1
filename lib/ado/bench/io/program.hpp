// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the program is called: `miniapp`, or what a project calls the one with its own kernels.
#pragma once

#include <string>
#include <string_view>

namespace ado {

/// Stands before messages and in the commands that they recommend.
inline std::string program_name = "miniapp";

/// Compiler and flags of the kernels, where these are another project's; empty: they are those of ado.
inline std::string kernel_compiler, kernel_flags;

/// Takes the last part of argv[0].
inline void set_program_name(std::string_view path) {
  path.remove_prefix(path.rfind('/') + 1);
  if (!path.empty()) program_name = path;
}

} // namespace ado
