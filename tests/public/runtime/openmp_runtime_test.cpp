// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With OMP_PROC_BIND=spread OMP_PLACES=threads, which ctest sets, Kokkos uses every core that this
// process was offered. Two OpenMP runtimes in one process break that: the second finds itself bound
// to the core to which the first bound the main thread.
#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
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
  const std::regex runtime("lib(gomp|omp|iomp5)[^a-z].*");
  std::set<std::string> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    const std::size_t path = line.find('/');
    if (path == std::string::npos) continue;
    const std::filesystem::path file = line.substr(path);
    if (std::regex_match(file.filename().string(), runtime)) found.insert(file.string());
  }
  std::string all;
  for (const std::string& file : found)
    all += "\n" + file;
  EXPECT_EQ(found.size(), 1u) << "mapped:" << all;
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
