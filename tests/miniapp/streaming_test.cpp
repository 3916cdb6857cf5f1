// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mini-app with arrays larger than --device-memory.
#include "csv_reader.hpp"
#include "program.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <filesystem>

namespace ado::bench {
namespace {

class MiniappStreaming : public MiniappRun {
protected:
  /// Runs on the host with a cap of 100 kB and the shortest measurement.
  Outcome capped(const std::string& command_line, const Surroundings& surroundings = {}) const {
    return miniapp(command_line + " --backend " + host_backend() +
                       " --device-memory 100kB --reps 1 --warmup 0",
                   surroundings);
  }
  /// Saves made data of this shape, f32 in C order.
  std::string save(const std::string& name, const std::string& shape, const Extents& extent) const {
    const std::string file = path(name + ".npy");
    std::ofstream(file, std::ios::binary)
        << npy_files::npy(npy_files::dictionary("<f4", false, shape),
                          std::string(extent[0] * extent[1] * extent[2] * 4, '\x3f'));
    return file;
  }
};

TEST_F(MiniappStreaming, SaysSoInTheRowAndInTheRecords) {
  const Outcome outcome = capped("--algorithm transpose --variant team --type f32 --rows 300 "
                                 "--cols 200 --json " +
                                 path("r.json") + " --csv " + path("r.csv"));
  ASSERT_EQ(outcome.status, 0) << outcome;
  // 20 rows take 16 kB in and out, in three slots; blocks are no larger.
  EXPECT_NE(outcome.out.find("verified; streamed: 20 slices of 15.4 kB, 96.0 kB on the device\n"),
            std::string::npos)
      << outcome;
  const auto record = nlohmann::json::parse(contents(path("r.json")));
  const auto& streamed = record["benchmarks"][0]["streamed"];
  EXPECT_EQ(streamed["slices"], 20);
  EXPECT_EQ(streamed["slice_bytes"], 60 * 64 * 4);
  EXPECT_EQ(streamed["data_repeats_after"], 20);
  EXPECT_EQ(streamed["reads_files"], false);
  EXPECT_GT(streamed["device_bytes"], 90000);
  EXPECT_LE(streamed["device_bytes"], 100000);
  for (const auto& line : ado::bench::csv_entries(contents(path("r.csv")))) {
    EXPECT_EQ(line.at("slices"), "20");
    EXPECT_EQ(line.at("slice_bytes"), "15360");
    EXPECT_EQ(line.at("data_repeats_after"), "20");
  }
  const Outcome whole = miniapp("--algorithm transpose --variant team --type f32 --rows 300 --cols "
                                "200 --reps 1 --backend " +
                                host_backend() + " --device-memory 1MiB --json " + path("w.json"));
  EXPECT_EQ(whole.out.find("streamed"), std::string::npos) << whole;
  EXPECT_EQ(contents(path("w.json")).find("\"streamed\""), std::string::npos);
}

TEST_F(MiniappStreaming, EveryVariantIsVerified) {
  const Outcome outcome = miniapp("--algorithm average,average_mv,transpose,yax,vector_add -N 400 "
                                  "-L 16 -M 200 --rows 1000 --cols 800 --elements 500000 "
                                  "--type f32 --device-memory 2MB --reps 1 --backend " +
                                  host_backend());
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(outcome.out.find("out of memory"), std::string::npos) << outcome;
}

TEST_F(MiniappStreaming, AWorkspaceThatDoesNotFitIsItsVariantsFailure) {
  const Outcome outcome = capped("--algorithm yax --variant team,row_per_thread,one_team --model "
                                 "kokkos --type f32 --rows 300 --cols 200");
  EXPECT_EQ(outcome.status, 3) << outcome;
  EXPECT_NE(outcome.out.find("portable: out of memory: workspace beside the slices"),
            std::string::npos)
      << outcome;
  EXPECT_NE(outcome.out.find("verified; streamed: "), std::string::npos) << outcome;
}

TEST_F(MiniappStreaming, TheOutputFileIsThatOfTheWhole) {
  const std::string line = "--algorithm transpose --variant team --model kokkos --type f32 "
                           "--rows 300 --cols 200 --output b=";
  ASSERT_EQ(capped(line + path("slices.npy")).status, 0);
  ASSERT_EQ(miniapp(line + path("whole.npy") + " --reps 1").status, 0);
  EXPECT_EQ(contents(path("slices.npy")), contents(path("whole.npy")));
}

TEST_F(MiniappStreaming, ReadsFilesSliceBySlice) {
  const std::string file = save("a", "(300, 200)", {300, 200, 1});
  // The latter as `./ado run` sets it: the reader must not stay on the core of the waiting thread.
  for (const Words& bound : {Words{}, Words{"OMP_PROC_BIND=spread", "OMP_PLACES=threads"}}) {
    const Outcome outcome =
        capped("--algorithm yax --variant team --stages --input a=" + file, {.environment = bound});
    ASSERT_EQ(outcome.status, 0) << outcome;
    EXPECT_NE(outcome.out.find(" from files, "), std::string::npos) << outcome;
    EXPECT_NE(outcome.out.find("copy in"), std::string::npos) << outcome;
  }
}

TEST_F(MiniappStreaming, AFileThatShrinksIsItsRowAndTheRestGoesOn) {
  const std::string file = save("a", "(30000, 200)", {30000, 200, 1});
  const auto shrink = [&](pid_t program) {
    // The journal exists when the run begins; its cases are planned then.
    while (!std::filesystem::exists(path("r.json.partial")) && kill(program, 0) == 0)
      usleep(500);
    std::filesystem::resize_file(file, 10'000'000);
  };
  const Outcome outcome =
      miniapp("--algorithm yax,transpose --variant team --model kokkos --type f32 --rows 30000 "
              "--cols 200 --input yax.a=" +
                  file + " --backend " + host_backend() + " --device-memory 1MB --reps 2 --json " +
                  path("r.json"),
              {.meanwhile = shrink});
  EXPECT_EQ(outcome.status, 3) << outcome;
  EXPECT_NE(outcome.out.find("portable: " + file + ": "), std::string::npos) << outcome;
  EXPECT_NE(outcome.out.find("1 of 2 results verified"), std::string::npos) << outcome;
}

TEST_F(MiniappStreaming, ADryRunSaysHowManySlices) {
  const Outcome outcome = capped("--algorithm transpose,pipeline --type f32 --rows 300 --cols 200 "
                                 "--chunks 5 --chunk-elements 100000 --dry-run");
  ASSERT_EQ(outcome.status, 0) << outcome;
  EXPECT_NE(outcome.out.find("streamed: 20 slices of 15.4 kB"), std::string::npos) << outcome;
  EXPECT_NE(outcome.out.find("fits"), std::string::npos) << "pipeline takes chunks: " << outcome;
  const std::string file = save("a", "(300, 200)", {300, 200, 1});
  const Outcome from_file = capped("--algorithm transpose --input a=" + file + " --dry-run");
  EXPECT_NE(from_file.out.find("streamed: 15 slices of 16.0 kB from files"), std::string::npos)
      << "of rows, in one piece each: " << from_file;
}

TEST_F(MiniappStreaming, WhatDoesNotFitAtAllSaysWhatIsMissing) {
  const Outcome outcome = capped("--algorithm transpose --variant team --rows 3 --cols 50000");
  EXPECT_EQ(outcome.status, 3) << outcome;
  EXPECT_NE(outcome.out.find("out of memory: slices of 1 of its rows need 1.2 MB on the device, "
                             "100.0 kB are there"),
            std::string::npos)
      << outcome;
}

TEST_F(MiniappStreaming, ASliceIsWhatCanBeProfiled) {
  const Outcome outcome = miniapp("--algorithm transpose --variant team --type f32 --rows 300 "
                                  "--cols 200 --profile --device-memory 100kB --backend " +
                                  host_backend());
  EXPECT_EQ(outcome.status, 3) << outcome;
  EXPECT_NE(outcome.out.find("profile one of its slices: --rows 60 --cols 64"), std::string::npos)
      << outcome;
}

TEST_F(MiniappStreaming, ACapThatIsNoSizeIsRefused) {
  for (const char* cap : {"0", "0GiB", "x", "-1", "2GiBB", "B", "2 GiB", "2^64", "1.5GiB"})
    EXPECT_EQ(miniapp("--algorithm yax --device-memory=" + std::string(cap)).status, 2) << cap;
  expect_refused("--device-memory 2giga", {"--device-memory 2giga", "2GiB"});
  expect_refused("--device-memory 0", {"--device-memory 0", "at least 1 byte"});
}

TEST_F(MiniappStreaming, CapsOfAllSpellingsAreTheSame) {
  for (const char* cap : {"100kB", "100k", "100000"}) {
    const Outcome outcome = miniapp("--algorithm transpose --type f32 --rows 300 --cols 200 "
                                    "--dry-run --backend " +
                                    host_backend() + " --device-memory " + cap);
    EXPECT_NE(outcome.out.find("20 slices"), std::string::npos) << cap << outcome;
  }
}

} // namespace
} // namespace ado::bench
