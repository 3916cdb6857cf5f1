// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mini-app with an algorithm that copies its own data: --stages, --timeline, and their records.
#include "program.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace ado::bench {
namespace {

const std::string small = "--algorithm pipeline --chunks 5 --chunk-elements 20011 "
                          "--work-per-element 3 --reps 2 ";

class MiniappStages : public MiniappRun {
protected:
  std::string host() const { return "--backend " + host_backend() + " "; }
};

TEST_F(MiniappStages, AreShownBelowTheTable) {
  const Outcome outcome = miniapp(small + host() + "--stages");
  ASSERT_EQ(outcome.status, 0) << outcome;
  const std::string table = outcome.out.substr(outcome.out.find("overlap  limit"));
  for (const char* name : {"malloc_in_loop", "explicit_sync", "static_buffers", "host_overlap",
                           "async_pageable", "async_pinned", "overlapped"})
    EXPECT_NE(table.find("  kokkos/" + std::string(name) + " "), std::string::npos) << outcome;
  EXPECT_NE(table.find("  openmp/overlapped "), std::string::npos) << outcome;
  EXPECT_EQ(miniapp(small + host()).out.find("limit /"), std::string::npos);
}

TEST_F(MiniappStages, OfOneVariantAreDrawnToTheFileItself) {
  const Outcome outcome =
      miniapp(small + host() + "--variant overlapped --model kokkos --timeline " + path("t.svg"));
  ASSERT_EQ(outcome.status, 0) << outcome;
  const std::string svg = contents(path("t.svg"));
  EXPECT_EQ(svg.rfind("<svg ", 0), 0u);
  EXPECT_NE(svg.find("kokkos/overlapped, pipeline f32: chunks 5 x chunk-elements 20011 x "
                     "work-per-element 3; "),
            std::string::npos)
      << svg.substr(0, 500);
  EXPECT_NE(svg.find("chunk 4, copy out"), std::string::npos);
}

TEST_F(MiniappStages, OfSeveralAreDrawnToAFileEach) {
  const Outcome outcome =
      miniapp(small + host() + "--variant async_pinned,overlapped --timeline " + path("t.svg"));
  ASSERT_EQ(outcome.status, 0) << outcome;
  for (const char* name :
       {"t_kokkos_async_pinned.svg", "t_kokkos_overlapped.svg", "t_openmp_overlapped.svg"}) {
    EXPECT_TRUE(std::filesystem::exists(path(name))) << name;
    EXPECT_NE(outcome.err.find("timeline: " + path(name) + "\n"), std::string::npos) << outcome;
  }
  EXPECT_FALSE(std::filesystem::exists(path("t.svg")));
}

TEST_F(MiniappStages, OfSeveralAreOneTrace) {
  const Outcome outcome = miniapp(small + host() + "--variant async_pinned,overlapped --timeline " +
                                  path("t.json") + " --json " + path("t_record.json"));
  ASSERT_EQ(outcome.status, 0) << outcome;
  const auto trace = nlohmann::json::parse(contents(path("t.json")));
  std::vector<std::string> processes;
  for (const auto& event : trace.at("traceEvents"))
    if (event.at("name") == "process_name")
      processes.push_back(event.at("args").at("name").get<std::string>().substr(0, 12));
  EXPECT_EQ(processes, (std::vector<std::string>{"kokkos/async", "kokkos/overl", "openmp/overl"}));
}

TEST_F(MiniappStages, AreInTheRecordAsked) {
  const Outcome outcome =
      miniapp(small + host() + "--variant static_buffers --json " + path("r.json"));
  ASSERT_EQ(outcome.status, 0) << outcome;
  const auto record = nlohmann::json::parse(contents(path("r.json")));
  const auto& stages = record["benchmarks"][0]["stages"];
  EXPECT_GT(stages["prepare_seconds"], 0);
  EXPECT_GT(stages["elapsed_seconds"], 0);
  EXPECT_LE(stages["limit_over_elapsed"], 1);
}

TEST_F(MiniappStages, WhereThereAreNoneIsRefused) {
  expect_refused("--algorithm yax --stages", {"--stages", "--algorithm pipeline"});
  expect_refused("--algorithm yax --timeline t.svg", {"--timeline", "--algorithm pipeline"});
  expect_refused(small + "--timeline -", {"--timeline", "name one"});
  expect_refused(small + "--stages --profile", {"--profile", "--stages"});
  expect_refused(small + "--timeline t.svg --json t.svg", {"--timeline", "t.svg", "--json"});
  expect_refused(small + "--timeline /nowhere/t.svg", {"/nowhere/t.svg"});
}

TEST_F(MiniappStages, OneThreadIsEnough) {
  const Outcome outcome =
      miniapp(small + host() + "--stages", {.environment = {"OMP_NUM_THREADS=1"}});
  EXPECT_EQ(outcome.status, 0) << outcome;
}

} // namespace
} // namespace ado::bench
