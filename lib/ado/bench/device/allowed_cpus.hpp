// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPUs that this process may use. There may be fewer than threads.
#pragma once

#include <sched.h>

#include <filesystem>
#include <string>

namespace ado {

struct AllowedCpus {
  std::string list; ///< those of the affinity mask, "0-3,8"; empty where unknown
  int count = 0;    ///< how many; 0 where unknown
  double quota = 0; ///< of how many the control groups give the time, 1.5; 0: no limit

  /// How many threads of so many can run at once.
  double at_once(int threads) const;
};

/// What the system says, and OpenMP, which binds the thread that asks to one of them.
AllowedCpus allowed_cpus();

/// Where OpenMP's threads may run; empty where it does not say, as libgomp where it binds none.
cpu_set_t openmp_places();
/// Whether OpenMP binds its threads, whatever variable told it to.
bool threads_are_bound();

/// "0-3,8"
std::string list_of(const cpu_set_t& cpus);
/// The least quota of this process' control groups of either version; 0 where there is none. `root`
/// is the folder of /proc and /sys.
double cpu_quota(const std::filesystem::path& root = "/");

} // namespace ado
