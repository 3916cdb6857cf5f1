// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a mini-app's main() calls.
#pragma once

namespace ado::bench {

/// Runs the command line on all registered kernels: ado's mini-app, or that of a project with its
/// own kernels. Returns the exit status; messages go to stderr. If a record is wrong, it names the
/// record and runs nothing (exit status 2).
int run_miniapp(int argc, char** argv);

} // namespace ado::bench
