// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With OMP_PROC_BIND=spread OMP_PLACES=threads, which ctest sets, Kokkos uses every core that this
// process was offered. Two OpenMP runtimes in one process break that: the second finds itself bound
// to the core to which the first bound the main thread.
#include <ado/bench/kokkos/session.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

/// Cores that the parent process may use: the runtime bound this one before main() began.
int offered_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(getppid(), sizeof cores, &cores) != 0) return -1;
  return CPU_COUNT(&cores);
}

struct MarkCore {
  char* used;
  void operator()(int) const { used[sched_getcpu()] = 1; }
};

TEST(OpenMPRuntime, ThereIsOneInTheProcess) {
  std::ifstream maps("/proc/self/maps");
  EXPECT_EQ(ado::bench::openmp_runtimes(maps).size(), 1u);
}

TEST(OpenMPRuntime, IsKnownByItsName) {
  std::istringstream maps("7f00-7f10 r-xp 00000000 08:01 12 /usr/lib/libgomp.so.1.0.0\n"
                          "7f10-7f20 r--p 00010000 08:01 12 /usr/lib/libgomp.so.1.0.0\n"
                          "7f20-7f30 r-xp 00000000 08:01 13 /a wheel/libgomp-e985bcbb.so.1.0.0\n"
                          "7f30-7f40 r-xp 00000000 08:01 14 /usr/lib/llvm-14/lib/libomp.so.5\n"
                          "7f40-7f50 r-xp 00000000 08:01 15 /opt/intel/libiomp5.so\n"
                          "7f50-7f60 r-xp 00000000 08:01 16 /usr/lib/libompstuff.so\n"
                          "7f60-7f70 r-xp 00000000 08:01 17 /usr/lib/libgomp.so.d/libm.so.6\n"
                          "7f70-7f80 rw-p 00000000 00:00 0\n");
  EXPECT_EQ(
      ado::bench::openmp_runtimes(maps),
      (std::set<std::string>{"/usr/lib/libgomp.so.1.0.0", "/a wheel/libgomp-e985bcbb.so.1.0.0",
                             "/usr/lib/llvm-14/lib/libomp.so.5", "/opt/intel/libiomp5.so"}));
}

TEST(OpenMPRuntime, HasAThreadForEveryCoreOffered) {
  EXPECT_EQ(Kokkos::OpenMP().concurrency(), offered_cores());
}

TEST(OpenMPRuntime, RunsOnEveryCoreOffered) {
  const int offered = offered_cores();
  std::vector<char> used(CPU_SETSIZE);
  int count = 0;
  // If threads cannot be bound, the system may need a few passes to spread them.
  for (int pass = 0; pass < 1000 && count < offered; ++pass) {
    Kokkos::parallel_for("mark_core", Kokkos::RangePolicy<Kokkos::OpenMP>(0, 10000),
                         MarkCore{used.data()});
    Kokkos::fence("mark_core");
    count = 0;
    for (const char core : used)
      count += core;
  }
  EXPECT_EQ(count, offered);
}

} // namespace
