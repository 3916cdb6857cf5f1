// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mini-app: runs every variant and its twin on the same data and says how they compare. Which ones there are
// is decided by what is linked: each registers itself.
#include <ado/bench/commands/main.hpp>
#include <ado/bench/io/program.hpp>

int main(int argc, char** argv) {
#ifdef ADO_KERNEL_COMPILER // in a project of its own; records say how its kernels were built
  ado::kernel_compiler = ADO_KERNEL_COMPILER;
  ado::kernel_flags = ADO_KERNEL_FLAGS;
#endif
  return ado::run_miniapp(argc, argv);
}
