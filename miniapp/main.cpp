// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mini-app: runs every variant and its twin on the same data and says how they compare. Which ones there are
// is decided by what is linked: each registers itself.
#include <ado/bench/commands/main.hpp>

int main(int argc, char** argv) { return ado::run_miniapp(argc, argv); }
