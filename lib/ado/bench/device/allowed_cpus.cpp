// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/device/allowed_cpus.hpp>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <fstream>
#include <vector>

namespace ado::bench {
namespace {

namespace fs = std::filesystem;

/// The quota of one control group; 0: none, that is "max", -1 or no file.
double quota_of(const fs::path& group) {
  std::ifstream of_v2(group / "cpu.max"), of_v1(group / "cpu.cfs_quota_us"),
      period_of_v1(group / "cpu.cfs_period_us");
  double time = 0, period = 0;
  const bool has_both = of_v2 >> time >> period || (of_v1 >> time && period_of_v1 >> period);
  return has_both && time > 0 && period > 0 ? time / period : 0;
}

} // namespace

double AllowedCpus::at_once(int threads) const {
  double most = threads;
  if (count > 0) most = std::min<double>(most, count);
  if (quota > 0) most = std::min(most, quota);
  return most;
}

cpu_set_t openmp_places() {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
#ifdef _OPENMP
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> ids(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, ids.data());
    for (const int id : ids)
      CPU_SET(id, &cpus);
  }
#endif
  return cpus;
}

bool threads_are_bound() {
#ifdef _OPENMP
  return omp_get_proc_bind() != omp_proc_bind_false;
#else
  return false;
#endif
}

std::string list_of(const cpu_set_t& cpus) {
  const auto has = [&](int cpu) { return cpu < CPU_SETSIZE && CPU_ISSET(cpu, &cpus); };
  std::string list;
  for (int first = 0; first < CPU_SETSIZE; ++first) {
    if (!has(first)) continue;
    int last = first;
    while (has(last + 1))
      ++last;
    list += (list.empty() ? "" : ",") + std::to_string(first);
    if (last > first) list += "-" + std::to_string(last);
    first = last;
  }
  return list;
}

double cpu_quota(const fs::path& root) {
  double least = 0;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line;
       std::getline(groups, line);) { // "0::/a/b"; in version 1 "4:cpu,cpuacct:/a/b"
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    if (controllers != ",," && controllers.find(",cpu,") == line.npos) continue;
    const fs::path top = root / "sys/fs/cgroup" / (controllers == ",," ? "" : "cpu");
    // The groups above it count too. In a container the system may name folders that do not exist.
    for (fs::path group = fs::path(line.substr(second + 1)).relative_path();;
         group = group.parent_path()) {
      if (const double quota = quota_of(top / group); quota > 0)
        least = least > 0 ? std::min(least, quota) : quota;
      if (group.empty()) break;
    }
  }
  return least;
}

AllowedCpus allowed_cpus() {
  cpu_set_t cpus = openmp_places();
  if (CPU_COUNT(&cpus) == 0 && sched_getaffinity(0, sizeof cpus, &cpus) != 0) CPU_ZERO(&cpus);
  return {list_of(cpus), CPU_COUNT(&cpus), cpu_quota()};
}

} // namespace ado::bench
