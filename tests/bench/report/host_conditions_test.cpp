// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a run says about its host: other work, the allowed CPUs, the variables that were set.
#include "csv_reader.hpp"
#include "described_device.hpp"
#include "screen.hpp"
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/io/markdown.hpp>
#include <ado/bench/records/csv.hpp>
#include <ado/bench/records/json.hpp>
#include <ado/bench/records/markdown.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

namespace ado::bench {
namespace {

using Json = nlohmann::json;

/// One variant, timed once, on a described host.
class HostConditions : public testing::Test {
protected:
  HostConditions() {
    results_.device = &device_;
    results_.ceilings = {1e12, 1e12, 1e12, 1e13, 1e13, 1e-6};
    RowResult row{.problem = {find_algorithm("yax"), {3, 5, 1}, Type::f64}, .name = "serial"};
    row.native.variant = find_variant("yax", "serial", "serial", "");
    row.native.ran = true;
    row.native.seconds = row.native.host_seconds = {0.5};
    results_.rows.push_back(row);
  }
  RunFacts facts() const { return run_facts(device_, {"miniapp"}); }
  Json context() const { return Json::parse(json_text(results_, facts()))["context"]; }
  std::string screen() const { return unwrapped(screen_of(results_)); }
  DescribedDevice device_{1, 1 << 20, std::size_t{1} << 30};
  Results results_;
};

TEST_F(HostConditions, OtherWorkOnTheHostIsSaidWhereItMatters) {
  device_.queue.threads = 16;
  EXPECT_EQ(context().at("load_avg"), Json::array());
  device_.load_average = 0;
  EXPECT_EQ(context().at("load_avg"), Json::array({0.}));
  device_.load_average = 1.5; // below a tenth of the cores
  EXPECT_EQ(context().at("load_avg"), Json::array({1.5}));
  EXPECT_EQ(context().at("warnings"), Json::array());
  device_.load_average = 1.75;
  const std::string warning = "the machine was not idle: load average 1.8 before the run";
  EXPECT_EQ(context().at("warnings"), Json::array({warning}));
  EXPECT_NE(screen().find(warning), std::string::npos) << screen();
  device_.on_host = false; // a GPU is not affected
  EXPECT_EQ(context().at("warnings"), Json::array());
}

/// On two CPUs a load of 0.75 is much, however many threads share them.
TEST_F(HostConditions, TheCpusAllowedSayWhatOtherWorkMatters) {
  device_.queue.threads = 16;
  device_.load_average = 0.75;
  EXPECT_FALSE(has_other_work(device_));
  device_.cpus = {"0-1", 2, 0};
  EXPECT_TRUE(has_other_work(device_));
  device_.cpus = {"0-63", 64, 1.5};
  EXPECT_TRUE(has_other_work(device_));
  device_.cpus = {"0-63", 64, 0};
  EXPECT_FALSE(has_other_work(device_)) << "16 of them are used";
}

TEST_F(HostConditions, MoreThreadsThanCpusAreSaidEverywhere) {
  const auto expect_warned = [&](const std::string& warning) {
    SCOPED_TRACE(warning);
    EXPECT_EQ(context().at("warnings"), Json::array({warning}));
    EXPECT_NE(screen().find(warning), std::string::npos) << screen();
    EXPECT_NE(markdown_text(results_, facts()).find("\n**" + markdown_plain(warning) + "**\n"),
              std::string::npos)
        << markdown_text(results_, facts());
    const auto lines = csv_entries(csv_text(results_, facts()));
    ASSERT_FALSE(lines.empty());
    EXPECT_EQ(lines[0].at("warnings"), warning);
    EXPECT_EQ(lines[0].at("cpus_allowed"), device_.cpus.list);
  };
  device_.queue.threads = 4;
  device_.cpus = {"0-2,8", 4, 4};
  EXPECT_EQ(context().at("warnings"), Json::array());
  EXPECT_EQ(context().at("cpus_allowed"), "0-2,8");
  EXPECT_EQ(context().at("cpu_quota"), 4);
  device_.cpus = {"0-1", 2, 0};
  EXPECT_FALSE(context().contains("cpu_quota"));
  expect_warned("4 threads on 2 CPUs (affinity mask 0-1): set OMP_NUM_THREADS=2");
  device_.cpus = {"0-7", 8, 2.5};
  expect_warned(
      "4 threads on the time of 2.5 CPUs (quota of the control group): set OMP_NUM_THREADS=2");
  device_.queue.threads = 1;
  device_.cpus = {"3", 1, 0.5};
  expect_warned("1 thread on the time of 0.5 CPUs (quota of the control group): raise it");
  device_.on_host = false; // a GPU run needs no more
  EXPECT_EQ(context().at("warnings"), Json::array());
}

TEST_F(HostConditions, SeveralWarningsAreOneFieldOfCsv) {
  device_.queue.threads = 4;
  device_.cpus = {"0", 1, 0};
  device_.load_average = 2;
  EXPECT_EQ(
      csv_entries(csv_text(results_, facts()))[0].at("warnings"),
      "4 threads on 1 CPU (affinity mask 0): set OMP_NUM_THREADS=1; the machine was not idle: "
      "load average 2.0 before the run");
}

TEST_F(HostConditions, VariablesOfOpenMpAndKokkosAreRecorded) {
  const std::pair<const char*, const char*> set[] = {
      {"GOMP_CPU_AFFINITY", "0 1"},        {"GOMP_SPINCOUNT", ""}, {"KMP_AFFINITY", "compact"},
      {"KOKKOS_PRINT_CONFIGURATION", "1"}, {"OMP_DYNAMIC", "a=b"}, {"XOMP_DYNAMIC", "1"}};
  for (const auto& [name, value] : set)
    setenv(name, value, 1);
  const Json environment = context().at("environment");
  for (const auto& [name, value] : set)
    unsetenv(name);
  for (const auto& [name, value] : set)
    EXPECT_EQ(environment.value(name, "absent"), *name == 'X' ? "absent" : value) << name;
  EXPECT_FALSE(context().at("environment").contains("OMP_DYNAMIC"));
}

} // namespace
} // namespace ado::bench
