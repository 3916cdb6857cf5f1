// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The affinity mask as a list, and quotas of faked control groups.
#include "npy_files.hpp"
#include <ado/bench/device/allowed_cpus.hpp>

#include <gtest/gtest.h>

#include <fstream>

namespace ado::bench {
namespace {

std::string list(std::initializer_list<int> cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int cpu : cpus)
    CPU_SET(cpu, &set);
  return list_of(set);
}

TEST(AllowedCpus, AreAListOfRanges) {
  EXPECT_EQ(list({}), "");
  EXPECT_EQ(list({0}), "0");
  EXPECT_EQ(list({0, 1, 2, 3, 8}), "0-3,8");
  EXPECT_EQ(list({1, 3, 4, CPU_SETSIZE - 1}), "1,3-4,1023");
  EXPECT_EQ(list({CPU_SETSIZE - 2, CPU_SETSIZE - 1}), "1022-1023");
}

TEST(AllowedCpus, RunAsManyThreadsAtOnceAsMaskAndQuotaAllow) {
  EXPECT_EQ(AllowedCpus().at_once(4), 4) << "nothing is known";
  EXPECT_EQ((AllowedCpus{"0-7", 8, 0}.at_once(4)), 4);
  EXPECT_EQ((AllowedCpus{"0-1", 2, 0}.at_once(4)), 2);
  EXPECT_EQ((AllowedCpus{"0-7", 8, 1.5}.at_once(4)), 1.5);
  EXPECT_EQ((AllowedCpus{"0", 1, 1.5}.at_once(4)), 1);
}

/// A folder with /proc and /sys like those of some machines.
class CpuQuota : public npy_files::NpyFixture {
protected:
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = folder_ / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  double quota() const { return cpu_quota(folder_); }
};

TEST_F(CpuQuota, OfVersion2IsTheLeastOnTheWayToTheRoot) {
  EXPECT_EQ(quota(), 0) << "no control groups at all";
  write("proc/self/cgroup", "0::/user.slice/job/step");
  EXPECT_EQ(quota(), 0);
  write("sys/fs/cgroup/user.slice/job/step/cpu.max", "max 100000");
  EXPECT_EQ(quota(), 0);
  write("sys/fs/cgroup/user.slice/job/cpu.max", "150000 100000");
  EXPECT_EQ(quota(), 1.5);
  write("sys/fs/cgroup/user.slice/job/step/cpu.max", "400000 100000");
  EXPECT_EQ(quota(), 1.5);
  write("sys/fs/cgroup/user.slice/job/step/cpu.max", "25000 50000");
  EXPECT_EQ(quota(), 0.5);
}

TEST_F(CpuQuota, OfVersion1IsInFilesOfItsOwn) {
  write("proc/self/cgroup", "9:name=systemd:/\n5:cpuset:/other\n4:cpu,cpuacct:/job\n0::/");
  write("sys/fs/cgroup/cpu/other/cpu.cfs_quota_us", "100000");
  write("sys/fs/cgroup/cpu/other/cpu.cfs_period_us", "100000");
  write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1");
  write("sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000");
  EXPECT_EQ(quota(), 0) << "-1 is no limit, and cpuset has none";
  write("sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "200000");
  EXPECT_EQ(quota(), 2);
}

TEST_F(CpuQuota, OfAContainerStandsInTheRootWhateverItsGroupIsCalled) {
  write("proc/self/cgroup", "0::/docker/0123abc");
  write("sys/fs/cgroup/cpu.max", "100000 100000");
  EXPECT_EQ(quota(), 1);
}

TEST_F(CpuQuota, ThatCannotBeReadIsNone) {
  write("proc/self/cgroup", "\n0\n0:\n::\n0::/job\n:cpu\nx:cpu:/..");
  for (const char* text : {"", "100000", "-5 100000", "100000 0", "nan nan", "1e5"}) {
    write("sys/fs/cgroup/job/cpu.max", text);
    EXPECT_EQ(quota(), 0) << text;
  }
}

} // namespace
} // namespace ado::bench
