// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the mini-app does so that its numbers can be trusted, and how it says where they cannot.
#include "csv_reader.hpp"
#include "program.hpp"

#include <nlohmann/json.hpp>
#include <sched.h>

#include <cstdlib>
#include <filesystem>
#include <set>

namespace ado::bench {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class MiniappTrust : public MiniappRun {};

TEST_F(MiniappTrust, TheSelftestCatchesEverythingOnTheDefaultBackend) {
  const Outcome outcome = miniapp("--selftest --algorithm all");
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_TRUE(contains(outcome.out, "two indices change places")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\n96 of 96 planted errors caught, on ")) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "NOT ") || contains(outcome.out, "REFUSED")) << outcome.out;
  EXPECT_FALSE(contains(miniapp("--list").out, "tile_edge"));
  expect_refused("--variant tile_edge", {"--variant", "'tile_edge'"});
}

TEST_F(MiniappTrust, SumsOfOnesAndTwosAreExactInAnyOrderWhereTheyCanBe) {
  const std::string run =
      "--algorithm all --data ones_twos --sets 5 --length 8 --rows 41 --cols 67 "
      "--elements 1001 --chunks 2 --chunk-elements 1001 --reps 1 --vectors ";
  for (const char* vectors : {"64", "67"}) { // a mean of 64 is exact
    const Outcome outcome = miniapp(run + vectors);
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_FALSE(contains(outcome.out, "WRONG")) << outcome;
  }
}

TEST_F(MiniappTrust, WithoutVerificationEverythingSaysSo) {
  const std::string run = "--algorithm yax,transpose --variant team --rows 41 --cols 67 --reps 3 ";
  const Outcome outcome = miniapp(run + "--skip-verification --json " + path("a.json"));
  EXPECT_EQ(outcome.status, 6) << outcome;
  EXPECT_TRUE(contains(outcome.out, "\nnot verified: --skip-verification\n")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\n0 of 4 results verified; not verified")) << outcome.out;
  EXPECT_TRUE(contains(contents(path("a.json")), "\"reason\": \"not verified"));
  EXPECT_FALSE(contains(contents(path("a.json")), "\"verified\": true"));

  EXPECT_EQ(miniapp(run + "--json " + path("b.json")).status, 0);
  const Outcome compared = miniapp("compare " + path("a.json") + " " + path("b.json"));
  EXPECT_EQ(compared.status, 0) << compared;
  EXPECT_TRUE(contains(compared.out, "NOT VERIFIED: A, not verified: --skip-verification"))
      << compared.out;
  EXPECT_FALSE(contains(compared.out, "NOT VERIFIED: B")) << compared.out;
}

TEST_F(MiniappTrust, WithoutVerificationAWrongResultHasTimesThatNobodyVouchesFor) {
  const Outcome outcome =
      run_program(ADO_BROKEN_MINIAPP, words("--algorithm yax --variant wrong --rows 41 --cols 67 "
                                            "--reps 3 --skip-verification --csv - --backend " +
                                            host_backend()));
  EXPECT_EQ(outcome.status, 6) << outcome;
  const auto lines = ado::bench::csv_entries(outcome.out);
  ASSERT_EQ(lines.size(), 1u) << outcome;
  EXPECT_EQ(lines[0].at("verified"), "false");
  EXPECT_EQ(lines[0].at("reason"), "not verified: --skip-verification");
  EXPECT_NE(lines[0].at("median_seconds"), "");
}

/// A hand-written variant that is wrong in one timed run, on the screen and in every record.
TEST_F(MiniappTrust, OneWrongRunShowsEverywhere) {
  if (host_backend() != "openmp") GTEST_SKIP() << "skipped: it is of OpenMP";
  const std::string run =
      "--algorithm yax --variant spoilt --type f64 --data ones_twos --rows 41 --cols 67 "
      "--cold-cache --backend openmp ";
  const Outcome good =
      run_program(ADO_BROKEN_MINIAPP, words(run + "--reps 2 --json " + path("good.json")));
  EXPECT_EQ(good.status, 0) << good;
  EXPECT_TRUE(contains(good.out, "\n3 of 3 results verified")) << good;
  const Outcome bad = run_program(ADO_BROKEN_MINIAPP,
                                  words(run + "--reps 6 --json " + path("bad.json") + " --csv " +
                                        path("r.csv") + " --markdown " + path("r.md")));
  EXPECT_EQ(bad.status, 1) << bad;
  const std::string why = "WRONG in timed run 3: ";
  EXPECT_TRUE(contains(bad.out, why)) << bad;
  EXPECT_TRUE(contains(bad.out, "\n2 of 3 results verified")) << bad;
  for (const char* record : {"bad.json", "r.csv", "r.md"})
    EXPECT_TRUE(contains(contents(path(record)), why)) << record;
  const Outcome compared = miniapp("compare " + path("good.json") + " " + path("bad.json"));
  EXPECT_EQ(compared.status, 1) << compared;
  EXPECT_TRUE(contains(compared.out, "in B failed: " + why)) << compared;
  EXPECT_TRUE(contains(compared.out, "\n1 result of B WRONG\n")) << compared;
}

/// A serial chain of 2^25 additions in f32 ends at 2^24. Sums in parts are right.
TEST_F(MiniappTrust, WhatRoundingsHaveSpoiltIsNotVerified) {
  const std::string run = "--algorithm average --model kokkos -N 1 -L 1 -M 2^25 --data ones_twos "
                          "--reps 1 --backend " +
                          host_backend() + " ";
  const Outcome flat =
      miniapp(run + "--variant flat --output mean=" + path("m.npy") + " --csv " + path("r.csv"));
  EXPECT_EQ(flat.status, 6) << flat;
  EXPECT_TRUE(contains(flat.out, "not verified: its 33554433 roundings in a row lose digits: "
                                 "[0][0] is 1, should be 1.50"))
      << flat.out;
  EXPECT_TRUE(contains(flat.out, "\n0 of 1 results verified")) << flat.out;
  EXPECT_FALSE(std::filesystem::exists(path("m.npy"))) << "what nobody vouches for is not written";
  EXPECT_TRUE(contains(contents(path("r.csv")), ",false,\"not verified: "))
      << contents(path("r.csv"));
  const Outcome team = miniapp(run + "--variant team");
  EXPECT_EQ(team.status, 0) << team;
}

/// Programs started while it lives may use only this process' first CPU, as with taskset.
class OneCpu {
public:
  OneCpu() {
    CPU_ZERO(&before_);
    sched_getaffinity(0, sizeof before_, &before_);
    while (first_ < CPU_SETSIZE - 1 && !CPU_ISSET(first_, &before_))
      ++first_;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first_, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  OneCpu(const OneCpu&) = delete;
  OneCpu& operator=(const OneCpu&) = delete;
  ~OneCpu() { sched_setaffinity(0, sizeof before_, &before_); }
  std::string name() const { return std::to_string(first_); }

private:
  cpu_set_t before_;
  int first_ = 0;
};

TEST_F(MiniappTrust, MoreThreadsThanTheMaskHasCpusAreSaidOnTheScreenAndInEveryRecord) {
  if (host_backend() != "openmp") GTEST_SKIP() << "skipped: it is of OpenMP";
  const OneCpu one;
  const std::string run = "--algorithm yax --variant team --rows 41 --cols 67 --reps 3 --backend "
                          "openmp --json " +
                          path("r.json") + " --csv " + path("r.csv") + " --markdown " +
                          path("r.md");
  const std::string words =
      "2 threads on 1 CPU (affinity mask " + one.name() + "): set OMP_NUM_THREADS=1";
  // The runtime binds the asking thread; the second setting binds it to one of several CPUs.
  for (const Words& bound : {Words{}, Words{"OMP_PROC_BIND=true", "OMP_PLACES=threads"}}) {
    Words environment{"OMP_NUM_THREADS=2"};
    environment.insert(environment.end(), bound.begin(), bound.end());
    const Outcome outcome = miniapp(run, {.environment = environment});
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_TRUE(contains(outcome.out, "\n" + words + "\n")) << outcome;
    const auto context = nlohmann::json::parse(contents(path("r.json"))).at("context");
    EXPECT_EQ(context.at("warnings").at(0), words);
    EXPECT_EQ(context.at("cpus_allowed"), one.name());
    EXPECT_EQ(context.at("environment").at("OMP_NUM_THREADS"), "2");
    EXPECT_TRUE(contains(contents(path("r.md")), "\n**" + words + "**\n"));
    for (const auto& line : ado::bench::csv_entries(contents(path("r.csv"))))
      EXPECT_EQ(line.at("warnings").rfind(words, 0), 0u) << line.at("warnings");
  }
  const Outcome fits = miniapp(run, {.environment = {"OMP_NUM_THREADS=1"}});
  EXPECT_FALSE(contains(fits.out, "affinity mask")) << fits;
}

/// Not the mask of the asking thread, which OpenMP binds to one CPU.
TEST_F(MiniappTrust, TheMaskIsThatOfAllThreadsWhetherBoundOrNot) {
  if (host_backend() != "openmp") GTEST_SKIP() << "skipped: it is of OpenMP";
  std::set<std::string> masks;
  for (const char* bind : {"false", "true"}) {
    const Outcome outcome =
        miniapp("--algorithm yax --variant team --rows 41 --cols 67 --reps 3 --backend openmp "
                "--csv " +
                    path("r.csv"),
                {.environment = {"OMP_PROC_BIND=" + std::string(bind)}});
    EXPECT_EQ(outcome.status, 0) << outcome;
    for (const auto& line : ado::bench::csv_entries(contents(path("r.csv"))))
      masks.insert(line.at("cpus_allowed"));
  }
  EXPECT_EQ(masks.size(), 1u);
  EXPECT_EQ(masks.count(""), 0u);
}

TEST_F(MiniappTrust, ThreadsThatAnyVariableBindsAreBound) {
  if (host_backend() != "openmp") GTEST_SKIP() << "skipped: it is of OpenMP";
  const OneCpu one;
  const auto says_unbound = [&](const Words& variables) {
    Words environment{"OMP_NUM_THREADS=1"};
    environment.insert(environment.end(), variables.begin(), variables.end());
    return contains(miniapp("--list --backend openmp", {.environment = environment}).out,
                    "threads are not bound");
  };
  EXPECT_TRUE(says_unbound({"OMP_PROC_BIND=false"}));
  EXPECT_FALSE(says_unbound({"OMP_PROC_BIND=true"}));
  EXPECT_FALSE(says_unbound({"OMP_PLACES={" + one.name() + "}"})); // "threads" would need /sys
  EXPECT_FALSE(says_unbound({"GOMP_CPU_AFFINITY=" + one.name()}));
}

TEST_F(MiniappTrust, WhatNeedsVerifiedResultsIsRefusedWithout) {
  expect_refused("--skip-verification --reference serial/serial",
                 {"--skip-verification", "--reference compares verified results only"});
  expect_refused("--skip-verification --algorithm yax --output result=" + path("r.npy"),
                 {"--skip-verification", "--output writes verified results only"});
}

} // namespace
} // namespace ado::bench
