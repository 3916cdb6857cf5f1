// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPUs that this process may use, possibly fewer than its threads.
#pragma once

#include <sched.h>

#include <filesystem>
#include <string>

namespace ado::bench {

struct AllowedCpus {
  std::string list; ///< of the affinity mask, "0-3,8"; empty: unknown
  int count = 0;    ///< how many; 0: unknown
  double quota = 0; ///< CPUs' worth of time that control groups give, 1.5; 0: no limit

  /// How many of `threads` can run at once.
  double at_once(int threads) const;
};

/// Asks the system, and also OpenMP, which may bind the asking thread to one CPU.
AllowedCpus allowed_cpus();

/// Where OpenMP's threads may run; empty if it does not say, as libgomp without binding.
cpu_set_t openmp_places();
/// Whether OpenMP binds its threads, whichever variable asks for it.
bool threads_are_bound();

/// "0-3,8"
std::string list_of(const cpu_set_t& cpus);
/// The smallest quota of this process' control groups, of either version; 0: none. `root` is the
/// folder of /proc and /sys.
double cpu_quota(const std::filesystem::path& root = "/");

} // namespace ado::bench
