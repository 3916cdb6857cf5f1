// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a mini-app's main() calls.
#pragma once

namespace ado {

/// Runs the command line on what is registered: the mini-app of ado, or that of a project with its own kernels. Returns the
/// exit status; messages go to stderr. Where a record is wrong it says so by name, and nothing runs (exit status 2).
int run_miniapp(int argc, char** argv);

} // namespace ado
