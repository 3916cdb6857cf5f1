// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mini-app: runs every variant and its twin on the same data and says how they compare. What is
// linked decides which ones: each registers itself.
#include <ado/bench/commands/main.hpp>
#include <ado/bench/io/program.hpp>

int main(int argc, char** argv) {
#ifdef NDEBUG
  const char* const type = "release";
#else
  const char* const type = "debug";
#endif
  ado::bench::kernel_build = {ADO_KERNEL_COMPILER, ADO_KERNEL_FLAGS, type};
  return ado::bench::run_miniapp(argc, argv);
}
