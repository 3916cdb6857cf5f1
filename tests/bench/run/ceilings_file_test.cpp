// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file of --ceilings: each machine finds its own numbers again, and nothing else changes.
#include "described_device.hpp"
#include "npy_files.hpp"
#include <ado/bench/run/ceilings_file.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

namespace ado::bench {
namespace {

class CeilingsFile : public npy_files::NpyFixture {
protected:
  Ceilings random_ceilings(const std::string& date) {
    std::exponential_distribution<double> value(1e-9);
    Ceilings ceilings;
    for (const CeilingField& field : ceiling_fields)
      ceilings.*field.value = value(generator_);
    ceilings.measured = date;
    return ceilings;
  }
  void expect_kept(const RunIdentity& machine, const Ceilings& ceilings) {
    const auto kept = kept_ceilings(path(), machine);
    ASSERT_TRUE(kept);
    for (const CeilingField& field : ceiling_fields)
      EXPECT_EQ((*kept).*field.value, ceilings.*field.value) << field.name;
    EXPECT_EQ(kept->measured, ceilings.measured);
    EXPECT_EQ(kept->kept_in, path());
  }
  std::mt19937_64 generator_{1};
  const RunIdentity one{{"host", "a"}, {"device", "2 threads"}},
      other{{"host", "a"}, {"device", "4 threads"}};
};

TEST_F(CeilingsFile, EachMachineFindsItsOwn) {
  EXPECT_FALSE(kept_ceilings(path(), one)) << "there is no file yet";
  const Ceilings first = random_ceilings("then"), second = random_ceilings("later");
  keep_ceilings(path(), one, first);
  EXPECT_FALSE(kept_ceilings(path(), other));
  keep_ceilings(path(), other, second);
  expect_kept(one, first);
  expect_kept(other, second);
  const Ceilings anew = random_ceilings("now");
  keep_ceilings(path(), one, anew);
  expect_kept(one, anew);
  expect_kept(other, second);
}

// One file serves runs that need the link and runs that need scattered pieces, in any order.
TEST_F(CeilingsFile, WhatIsMeasuredAnewHasAllThatWasKept) {
  Ceilings kept;
  EXPECT_TRUE(MoreCeilings{}.are_in(kept));
  EXPECT_FALSE((MoreCeilings{.link = true}.are_in(kept)));
  EXPECT_FALSE((MoreCeilings{.scattered = true}.are_in(kept)));
  EXPECT_FALSE((MoreCeilings{.exchange = true}.are_in(kept)));
  kept.link_in = kept.link_out = 50e9;
  EXPECT_TRUE((MoreCeilings{.link = true}.are_in(kept)));
  EXPECT_FALSE((MoreCeilings{.link = true, .scattered = true}.are_in(kept)));
  const MoreCeilings more = MoreCeilings{.scattered = true}.and_of(kept);
  EXPECT_TRUE(more.link && more.scattered);
  kept.scattered_read = kept.scattered_update = 1e12;
  EXPECT_TRUE(more.are_in(kept));
}

// Ceilings of a run that needed no more are found again, and so are those of builds that knew no
// more.
TEST_F(CeilingsFile, WhatMayLackMayLack) {
  Ceilings ceilings = random_ceilings("then");
  ceilings.link_in = ceilings.link_out = ceilings.scattered_read = ceilings.scattered_update = 0;
  keep_ceilings(path(), one, ceilings);
  expect_kept(one, ceilings);
  EXPECT_EQ(get().find("scattered"), std::string::npos) << get();
}

TEST_F(CeilingsFile, WhatIsNoSuchFileIsRefusedAndStays) {
  keep_ceilings(path(), one, random_ceilings("then"));
  const std::string whole = get();
  std::string no_number = whole;
  no_number.replace(no_number.find("\"f32_flops\""), 11, "\"f33_flops\"");
  for (const std::string& bytes :
       {std::string(), std::string("[1, 2]"), std::string("{\"ado_ceilings\": 5}"),
        whole.substr(0, whole.size() / 2), no_number, std::string("\0\xff", 2)}) {
    put(bytes);
    expect_refused("no file of --ceilings", [&] { kept_ceilings(path(), one); });
    expect_refused("delete it", [&] { keep_ceilings(path(), other, random_ceilings("now")); });
    EXPECT_EQ(get(), bytes);
  }
  expect_refused("is not a regular file", [&] { kept_ceilings(folder_.string(), one); });
}

/// A machine on which everything takes a millisecond.
class TimedDevice : public DescribedDevice {
public:
  TimedDevice() : DescribedDevice(2, 1 << 20, std::size_t{1} << 30) {}
  Elapsed run_timed(const std::function<void()>&, double) override {
    ++runs;
    return {1e-3, 1e-3};
  }
  double multiply_add(Type, std::size_t, void*) override { return 1e6; }
  int runs = 0;
};

/// Ceilings kept in the user's cache folder.
class CachedCeilings : public CeilingsFile {
protected:
  void SetUp() override {
    CeilingsFile::SetUp();
    setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XDG_CACHE_HOME");
    CeilingsFile::TearDown();
  }
  /// The ceilings of a run of a square matrix, and whether they were measured for it.
  std::pair<Ceilings, bool> run(std::size_t side) {
    device_.runs = 0;
    const std::vector<Case> cases{{{find_algorithm("yax"), {side, side, 1}, Type::f64}, {}, {}}};
    const Ceilings found =
        ceilings_of_run(options_, device_, cases, run_facts(device_, {"miniapp"}), nullptr);
    return {found, device_.runs > 0};
  }
  bool measures(std::size_t side) { return run(side).second; }
  std::string cache() const { return path("ado/ceilings.json"); }
  static constexpr std::size_t small = 50, large = 5000; // the cache has 1 MiB
  Options options_;
  TimedDevice device_;
};

TEST_F(CachedCeilings, LetARunOfSmallArraysStartAtOnce) {
  EXPECT_TRUE(measures(small)) << "there is none yet";
  const auto [found, measured] = run(small);
  EXPECT_FALSE(measured);
  EXPECT_EQ(found.kept_in, cache());
  EXPECT_NE(found.measured, "") << "its age is shown";
  EXPECT_GT(found.read, 0);
  EXPECT_TRUE(measures(large)) << "what takes seconds has ceilings of its own";
  EXPECT_EQ(run(large).first.kept_in, "");
}

TEST_F(CachedCeilings, OfALargeRunServeSmallOnes) {
  EXPECT_TRUE(measures(large));
  EXPECT_FALSE(measures(small));
}

TEST_F(CachedCeilings, AreOfTheCpusAllowed) {
  EXPECT_TRUE(measures(small));
  device_.cpus = {"0-1", 2, 0};
  EXPECT_TRUE(measures(small)) << "another mask";
  device_.cpus = {"0-1", 2, 1.5};
  EXPECT_TRUE(measures(small)) << "another quota";
  EXPECT_FALSE(measures(small));
}

TEST_F(CachedCeilings, AreOfIdleMachinesOnly) {
  device_.load_average = 3;
  device_.on_host = true;
  EXPECT_TRUE(measures(small));
  EXPECT_TRUE(measures(small));
  EXPECT_FALSE(std::filesystem::exists(cache()));
}

/// In a file that the user named they stay, with a mark that each run shows.
TEST_F(CachedCeilings, OfABusyMachineAreMarkedWhereverTheyAreKept) {
  options_.ceilings = path();
  device_.load_average = 3;
  device_.on_host = true;
  EXPECT_EQ(run(small).first.load_average, 3);
  device_.load_average = 0;
  const auto [kept, measured] = run(small);
  EXPECT_FALSE(measured);
  EXPECT_EQ(kept.load_average, 3);
  Results results;
  results.device = &device_;
  results.ceilings = kept;
  EXPECT_EQ(warnings(results),
            std::vector<std::string>{
                "the ceilings are of a machine that was not idle: load average 3.0 when they "
                "were measured; to measure them again, delete " +
                path()});
  results.ceilings.load_average = 0;
  EXPECT_EQ(warnings(results), std::vector<std::string>{});
}

TEST_F(CachedCeilings, LeaveAFileOfTheUsersAlone) {
  options_.ceilings = path();
  EXPECT_TRUE(measures(small));
  EXPECT_FALSE(std::filesystem::exists(cache()));
  EXPECT_FALSE(measures(large)) << "as ever";
}

TEST_F(CachedCeilings, AreInNobodysWay) {
  std::filesystem::create_directories(path("ado"));
  std::ofstream(cache()) << "[1, 2]";
  EXPECT_TRUE(measures(small));
  EXPECT_FALSE(measures(small)) << "what was spoiled is replaced";
  setenv("XDG_CACHE_HOME", "/dev/null", 1);
  EXPECT_TRUE(measures(small));
  EXPECT_TRUE(measures(small)) << "there is no such folder";
}

} // namespace
} // namespace ado::bench
