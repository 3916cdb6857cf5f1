// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --diagnose, --profile and --ncu-csv of the program.
#include "program.hpp"

#include <fstream>

namespace ado::bench {
namespace {

class MiniappDiagnose : public MiniappRun {
protected:
  static void expect_text(const Outcome& outcome, const Words& fragments) {
    for (const std::string& fragment : fragments)
      EXPECT_NE(outcome.out.find(fragment), std::string::npos) << fragment << " in\n" << outcome;
  }
  static std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
      ++found;
    return found;
  }
};

TEST_F(MiniappDiagnose, AllShowsExperimentsPredictionsAndAVerdictOfEach) {
  const Outcome outcome =
      miniapp("--algorithm transpose --variant tiled --model kokkos --type f64 --rows 256 "
              "--cols 256 --reps 3 --diagnose-all");
  EXPECT_EQ(outcome.status, 0) << outcome;
  expect_text(outcome, {"transpose f64: rows 256 x cols 256, kokkos/tiled: ", " (estimated)",
                        "work       twice as much: ", "; four times: ",
                        "predicted  loads of a: 8.0 sectors a request on a GPU, 8.0 would do",
                        "loads of the tile: 32.0 passes over the banks a request on a GPU,\n",
                        "\n               2.0 would do\n", "verdict    "});
  EXPECT_EQ(count(outcome.out, "verdict    "), 1u) << outcome;
  EXPECT_EQ(count(outcome.out, ": 0.00 times"), 0u) << outcome;
}

TEST_F(MiniappDiagnose, SectorsThatNobodyNeedsAreCountedInAll) {
  // two sets of two warps, and 256 steps in each of which 32 lanes touch a sector of their own
  const Outcome outcome =
      miniapp("--algorithm average_mv --variant block_per_set --model kokkos -N 2 -L 64 -M 256 "
              "--reps 3 --diagnose-all");
  EXPECT_EQ(outcome.status, 0) << outcome;
  expect_text(outcome, {"loads of v: 32.0 sectors a request on a GPU, 4.0 would do; in all\n",
                        "               32768 where 4096 would do\n"});
  EXPECT_EQ(count(outcome.out, " in all "), 0u) << "what is as it should be has no total";
}

TEST_F(MiniappDiagnose, TeamSizesAreTriedWhereAVariantTakesThem) {
  const Outcome outcome = miniapp("--algorithm yax --variant one_team --model kokkos --rows 64 "
                                  "--cols 64 --reps 3 --diagnose-all");
  EXPECT_EQ(outcome.status, 0) << outcome;
  expect_text(outcome, {"team size  1: "});
}

TEST_F(MiniappDiagnose, OfAStreamItIsTheStagesThatSay) {
  const Outcome outcome = miniapp("--algorithm pipeline --variant static_buffers --chunks 2 "
                                  "--chunk-elements 1001 --reps 3 --diagnose-all");
  EXPECT_EQ(outcome.status, 0) << outcome;
  expect_text(outcome, {"\ndiagnosis: --stages shows which stage limits a stream\n"});
  EXPECT_EQ(outcome.out.find("twice as much"), std::string::npos) << outcome;
}

TEST_F(MiniappDiagnose, WithoutAResultThereIsNothingToFindOut) {
  const Outcome outcome =
      run_program(ADO_BROKEN_MINIAPP,
                  words("--algorithm yax --variant failing --rows 33 --cols 65 --diagnose"));
  EXPECT_EQ(outcome.status, 3) << outcome;
  expect_text(outcome,
              {"diagnosis: no variant is limited by latency; --diagnose-all looks at each"});
}

TEST_F(MiniappDiagnose, ProfileGoesOnBehindWhatDoesNotFit) {
  const Outcome outcome = miniapp("--profile --algorithm yax --variant team --model kokkos --sweep "
                                  "rows=2^40,33 --cols 1024");
  EXPECT_EQ(outcome.status, 3) << outcome;
  expect_text(outcome, {"yax f64: rows 1099511627776 x cols 1024: out of memory: ",
                        "yax f64: rows 33 x cols 1024, kokkos/team\n  ran once, verified"});
}

TEST_F(MiniappDiagnose, ProfileRunsEachVariantOnceAndVerifiesIt) {
  const Outcome outcome =
      miniapp("--profile --algorithm yax --variant team,row_per_thread --rows 33 "
              "--cols 65");
  EXPECT_EQ(outcome.status, 0) << outcome;
  expect_text(outcome, {"yax f64: rows 33 x cols 65, kokkos/team", "kokkos/row_per_thread"});
  EXPECT_EQ(count(outcome.out, "kokkos/"), 2u) << outcome;
  EXPECT_EQ(count(outcome.out, "/team\n"), 2u) << outcome; // the native one only in its own row
  EXPECT_EQ(count(outcome.out, "ran once, verified"), count(outcome.out, "yax f64: ")) << outcome;
  EXPECT_EQ(outcome.out.find("GB/s"), std::string::npos) << outcome;
}

TEST_F(MiniappDiagnose, ProfileSaysWhatAVariantDoesNotTake) {
  const Outcome outcome = miniapp("--profile --algorithm yax --variant one_team --model kokkos "
                                  "--backend " +
                                  host_backend() + " --team-size 4096 --rows 33 --cols 65");
  EXPECT_EQ(outcome.status, 2) << outcome;
  expect_text(outcome, {"a team of 4096 threads does not fit"});
}

TEST_F(MiniappDiagnose, ProfileSeesWrongResults) {
  const Outcome outcome = run_program(
      ADO_BROKEN_MINIAPP,
      words("--profile --algorithm yax --variant wrong,failing,team --rows 33 --cols 65"));
  EXPECT_EQ(outcome.status, 1) << outcome;
  expect_text(outcome, {"WRONG: ", "ran once, verified", "this variant never runs"});
}

TEST_F(MiniappDiagnose, ProfileIsRefusedWithWhatNeedsTimes) {
  for (const char* other :
       {"--json x.json", "--reference serial/serial", "--diagnose", "--skip-verification"})
    expect_refused(std::string("--profile ") + other, {"--profile", "leave out"});
}

TEST_F(MiniappDiagnose, NcuCsvIsJudgedWithoutADevice) {
  const std::string file = ADO_SOURCE_DIR "/tests/data/ncu_h200.csv";
  const Outcome outcome = run_program(ADO_MINIAPP, {"--ncu-csv", file});
  EXPECT_EQ(outcome.status, 0) << outcome;
  expect_text(outcome, {"memory, near the roof (counted)", "cure     `tiled_padded`"});
  expect_refused("--ncu-csv " + file + " --variant team", {"--ncu-csv", "leave out --variant"});
  EXPECT_NE(miniapp("--ncu-csv " + file + " --algorithm average_mv").out, outcome.out);
  expect_refused("--ncu-csv none.csv", {"none.csv", "cannot be read"});
}

} // namespace
} // namespace ado::bench
