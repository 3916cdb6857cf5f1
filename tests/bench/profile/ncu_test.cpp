// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --ncu-csv on files from an H200, on damaged ones and on made-up ones.
#include "expect_refused.hpp"
#include "ncu_files.hpp"
#include <ado/bench/profile/ncu_roofline.hpp>
#include <ado/bench/profile/ncu_verdict.hpp>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>

namespace ado::bench {
namespace {

const std::string h200 = ADO_SOURCE_DIR "/tests/data/ncu_h200.csv";

TEST_F(NcuCsv, ReadsWhatNsightComputeWroteOnAnH200) {
  const auto kernels = read_ncu_csv(h200);
  ASSERT_EQ(kernels.size(), 20u);
  EXPECT_EQ(kernels[1].name,
            "void native::<unnamed>::block_per_set<float>(native::SweepArrays<T1>)");
  EXPECT_EQ(kernels[1].grid, "(512, 1, 1)");
  EXPECT_EQ(kernels[0].metric("memory_l2_theoretical_sectors_global"), 151257088); // 151,257,088
  EXPECT_EQ(kernels[0].metric("derived__memory_l2_theoretical_sectors_global_excessive"),
            117440512);
  EXPECT_EQ(kernels[0].metric("launch__waves_per_multiprocessor"), 0.97);
  EXPECT_EQ(kernels[0].metric("gpu__time_duration.sum"), 1843648e-9); // in ns there
  EXPECT_FALSE(kernels[0].metric("no_such_metric").has_value());
}

// Nsight Compute 2025.3.1, an H200 and the command of --profile, with every column.
TEST_F(NcuCsv, AWholeFileOfANewNsightComputeIsRead) {
  const auto kernels = read_ncu_csv(ADO_SOURCE_DIR "/tests/data/ncu_whole.csv");
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_GT(kernels[0].metrics.size(), 1000u);
  EXPECT_EQ(kernels[1].grid, "(32, 1, 1)");
}

TEST_F(NcuCsv, JudgesTheLaddersOfAnH200) {
  struct Expected {
    const char* limiter;
    Cause cause;
    const char* cure; // null: ambiguous, several algorithms have such a kernel
  };
  const char* near_the_roof = "memory, near the roof";
  const char* small_grid = "latency, small grid";
  const Expected expected[] = {
      {"memory", Cause::uncoalesced, "`coalesced`"},            // AverageMvBlockPerSet
      {"memory", Cause::uncoalesced, "`coalesced`"},            // block_per_set
      {"compute", Cause::few_bytes, "`team`"},                  // AverageMvCoalesced
      {"compute", Cause::few_bytes, nullptr},                   // coalesced: which algorithm?
      {near_the_roof, Cause::uncoalesced, "`vector_mv`"},       // thread_mv
      {small_grid, Cause::few_teams, "`team`"},                 // vector_mv
      {near_the_roof, Cause::none, ""},                         // AverageTeam
      {small_grid, Cause::few_teams, "`row_per_vector`"},       // YaxRowPerThread, LayoutLeft
      {small_grid, Cause::few_teams, "`row_per_vector`"},       // row_per_thread<1>
      {near_the_roof, Cause::none, ""},                         // YaxRowPerVector
      {small_grid, Cause::few_teams, ""},                       // YaxFinish is no rung
      {near_the_roof, Cause::none, ""},                         // row_per_vector
      {near_the_roof, Cause::none, ""},                         // YaxRowPerVectorShared
      {near_the_roof, Cause::none, ""},                         // row_per_vector_shared
      {small_grid, Cause::few_teams, nullptr},                  // flat: which algorithm?
      {near_the_roof, Cause::bank_conflicts, "`tiled_padded`"}, // TransposeTiled
      {"memory", Cause::few_bytes, "`team`"},                   // transpose_tiled<1>
      {"latency", Cause::uncoalesced, "`tiled`"},               // transpose_flat_write
      {"latency", Cause::few_bytes, "`team`"},                  // YaxRowPerTeam
      {small_grid, Cause::few_teams, "`row_per_vector`"}};      // row_per_thread
  const auto kernels = read_ncu_csv(h200);
  ASSERT_EQ(kernels.size(), std::size(expected));
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    const NcuVerdict verdict = judge(kernels[k]);
    EXPECT_EQ(verdict.limiter, expected[k].limiter) << kernels[k].name;
    EXPECT_EQ(verdict.cause, expected[k].cause) << kernels[k].name << ": " << verdict.reason;
    if (expected[k].cure != nullptr)
      EXPECT_EQ(verdict.cure, expected[k].cure) << kernels[k].name;
    else
      EXPECT_NE(verdict.cure.find("(average_mv)"), std::string::npos) << verdict.cure;
    EXPECT_FALSE(verdict.reason.empty());
  }
}

TEST_F(NcuCsv, AKernelOfSeveralAlgorithmsIsOfTheOneThatWasNamed) {
  const NcuKernel flat = read_ncu_csv(h200).at(14);
  EXPECT_EQ(judge(flat, {"average_mv"}).cure, "`block_per_set`");
  EXPECT_EQ(judge(flat, {"average_mv", "transpose"}).cure, judge(flat, {}).cure) << "still two";
  std::ostringstream out, named;
  print_ncu(out, {flat});
  EXPECT_NE(out.str().find("--algorithm says which"), std::string::npos) << out.str();
  print_ncu(named, {flat}, {"average_mv"});
  EXPECT_EQ(named.str().find("--algorithm says which"), std::string::npos) << named.str();
}

TEST_F(NcuCsv, AForeignKernelIsCuredByRungsOfWhatWasNamed) {
  NcuKernel foreign = read_ncu_csv(h200).at(17); // uncoalesced
  foreign.name = "my_kernel(float *)";
  const std::string all = judge(foreign).cure;
  EXPECT_NE(all.find("`tiled` (transpose)"), std::string::npos) << all;
  EXPECT_NE(all.find("(average_mv)"), std::string::npos) << all;
  EXPECT_EQ(judge(foreign, {"transpose"}).cure, "`tiled`");
}

TEST_F(NcuCsv, PrintsTheMetricsAndSaysCounted) {
  std::ostringstream out;
  print_ncu(out, read_ncu_csv(h200));
  for (const char* text :
       {"AverageMvBlockPerSet<Cuda, float>  grid (512, 1, 1) block (1, 512, 1)  1843.6 us",
        "limiter  memory (counted)", "DRAM 6.5 %", "18.0 sectors a request of loads",
        "77.6 % excessive", "shared   47.6 % busy, 0.0 % of its passes are conflicts",
        "shared   88.2 % of its passes are conflicts", "L1 hits 69.7 %",
        "2.14 eligible a cycle, an instruction every 2.0 cycles", "long_scoreboard 9.1",
        "block_per_set<float>  grid", "cure     `tiled_padded`", "cure     no rung of the ladder"})
    EXPECT_NE(out.str().find(text), std::string::npos) << text << " in\n" << out.str();
}

const std::string header = "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"a__b.sum\"\n";

TEST_F(NcuCsv, TakesQuotesThousandsSeparatorsWindowsLinesAndMissingValues) {
  const auto kernels =
      read_ncu_csv(file("==PROF== Connected\nprinted, by the program\n" + header +
                        "\"\",\"\",\"\",\"\",\"us\"\r\n"
                        "==PROF== between\n"
                        "\"0\",\"a \"\"b\"\", c\",\"(1, 1, 1)\",\"(2, 1, 1)\",\"1,234.5\"\r\n"
                        "\"1\",\"d\",\"\",\"\",\"n/a\"\nthe end\n"));
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_EQ(kernels[0].name, "a \"b\", c");
  EXPECT_EQ(kernels[0].grid, "(2, 1, 1)");
  EXPECT_DOUBLE_EQ(*kernels[0].metric("a__b.sum"), 1234.5e-6);
  EXPECT_FALSE(kernels[1].metric("a__b.sum").has_value());
}

TEST_F(NcuCsv, SaysWithFileAndLineWhatDoesNotFit) {
  expect_error("", {"ncu.csv:0: no table of ncu", "--page raw"});
  expect_error("==ERROR== ERR_NVGPUCTRPERM\n", {":1: no table of ncu"});
  expect_error(header, {":1: the table has no kernel"});
  expect_error(header + "\"0\",\"k\",\"b\",\"g\"\n", {":2: 4 fields", "header has 5"});
  expect_error(header + "\"0\",\"k\",\"b\",\"g\",\"1\"\n\"1\",\"k", {":3: a quote is not closed"});
  expect_error("\"ID\",\"Kernel Name\",\"Metric Name\"\n", {":1: this is ncu's page of details"});
  expect_error("\"ID\",\"Name\"\n", {":1: the table has no column Kernel Name"});
  EXPECT_THROW(read_ncu_csv(path("none.csv")), InputError);
}

TEST_F(NcuCsv, UnitsAreThoseOfTheirOwnTable) {
  const std::string in_microseconds = header + "\"\",\"\",\"\",\"\",\"us\"\n";
  const auto kernels = read_ncu_csv(file(
      in_microseconds + "\"0\",\"k\",\"b\",\"g\",\"7\"\n" +
      "\"ID\",\"Kernel Name\",\"a\",\"b\",\"c\",\"d\",\"e__f.sum\"\n" + // more columns, no units
      "\"1\",\"k\",\"1\",\"2\",\"3\",\"4\",\"7\"\n"));
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_DOUBLE_EQ(*kernels[0].metric("a__b.sum"), 7e-6);
  EXPECT_DOUBLE_EQ(*kernels[1].metric("c"), 3);
  EXPECT_DOUBLE_EQ(*kernels[1].metric("e__f.sum"), 7);
}

TEST_F(NcuCsv, TakesNoMoreMemoryOrTimeThanItsFile) {
  // 270 bytes of a symbol that stands for a name of gigabytes: each argument doubles the one
  // before.
  std::string symbol = "_Z1f1pIiiE";
  for (char k = '0'; k <= 'P'; ++k) {
    const std::string before = k <= '9' || k >= 'A' ? std::string("S") + k + "_" : "";
    if (!before.empty()) symbol += "S_I" + before + before + "E";
  }
  std::ostringstream out;
  print_ncu(out, read_ncu_csv(file("\"ID\",\"Kernel Name\"\n\"0\",\"" + symbol + "\"\n")));
  EXPECT_NE(out.str().find(symbol), std::string::npos);
  expect_error("\"ID\",\"Kernel Name\",\"" + std::string(513, 'm') + "\"\n",
               {":1: a column's name has 513 characters"});
  expect_error("\"ID\",\"Kernel Name\"\n\"0\",\"" + std::string(65537, 'k') + "\"\n",
               {":2: the kernel's name has 65537 characters"});
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_THROW(read_ncu_csv(path("pipe")), InputError); // must not wait
  EXPECT_THROW(read_ncu_csv("/dev/zero"), InputError);
  EXPECT_THROW(read_ncu_csv(folder_.string()), InputError);
}

TEST_F(NcuCsv, NoControlCharacterOfAFileReachesTheTerminal) {
  std::ostringstream out;
  print_ncu(out, read_ncu_csv(
                     file("\"ID\",\"Kernel Name\",\"Grid Size\"\n\"0\",\"a\x1b[31m\",\"\a\"\n")));
  EXPECT_EQ(out.str().find('\x1b'), std::string::npos);
  EXPECT_EQ(out.str().find('\a'), std::string::npos);
  EXPECT_NE(out.str().find("a?[31m"), std::string::npos) << out.str();
}

NcuKernel busy(double compute, double memory) {
  NcuKernel kernel{"k", "(9, 1, 1)", "(32, 1, 1)", {}};
  kernel.metrics["sm__throughput.avg.pct_of_peak_sustained_elapsed"] = compute;
  kernel.metrics["gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"] = memory;
  return kernel;
}

/// 1e9 adds, 2e9 multiply-adds of f32 and 1e9 products of f64 are 6e9 operations, in 2 ms.
TEST_F(NcuCsv, TheRooflineHasTheLevelsThatWereCounted) {
  NcuKernel kernel = busy(10, 90);
  const std::string op = "smsp__sass_thread_inst_executed_op_";
  EXPECT_EQ(roofline_text(kernel), "");
  kernel.metrics[op + "fadd_pred_on.sum"] = 1e9;
  EXPECT_EQ(roofline_text(kernel), "") << "no time";
  kernel.metrics["gpu__time_duration.sum"] = 2e-3;
  kernel.metrics[op + "ffma_pred_on.sum"] = 2e9;
  kernel.metrics[op + "dmul_pred_on.sum"] = 1e9;
  EXPECT_EQ(roofline_text(kernel), "3000.0 GFLOP/s");
  kernel.metrics["dram__bytes.sum"] = 0;
  EXPECT_EQ(roofline_text(kernel), "3000.0 GFLOP/s") << "all came from a cache";
  kernel.metrics["dram__bytes.sum"] = 8e9;
  kernel.metrics["dram__bytes.sum.pct_of_peak_sustained_elapsed"] = 91.2;
  kernel.metrics["l1tex__t_bytes.sum"] = 24e9;
  EXPECT_EQ(roofline_text(kernel), "3000.0 GFLOP/s; DRAM 0.75 operations a byte, 91 % of its "
                                   "bandwidth; L1 0.25 operations a byte");
  std::ostringstream out, without;
  print_ncu(out, {kernel});
  EXPECT_NE(out.str().find("a faster kernel may sit lower"), std::string::npos) << out.str();
  print_ncu(without, {busy(10, 90)});
  EXPECT_EQ(without.str().find("roofline"), std::string::npos) << without.str();
}

TEST_F(NcuCsv, WithoutOperationsTheRooflineIsTheBandwidthAlone) {
  NcuKernel kernel = busy(10, 90);
  kernel.metrics["smsp__sass_thread_inst_executed_op_fadd_pred_on.sum"] = 0;
  kernel.metrics["gpu__time_duration.sum"] = 2e-3;
  kernel.metrics["dram__bytes.sum"] = 8e9;
  EXPECT_EQ(roofline_text(kernel), "");
  kernel.metrics["dram__bytes.sum.pct_of_peak_sustained_elapsed"] = 91.2;
  EXPECT_EQ(roofline_text(kernel), "DRAM 91 % of its bandwidth");
}

TEST_F(NcuCsv, BankConflictsCountOnlyWhereDramHasMoreToGive) {
  NcuKernel kernel = busy(10, 92);
  kernel.metrics["memory_l1_wavefronts_shared"] = 100;
  kernel.metrics["derived__memory_l1_wavefronts_shared_excessive"] = 25;
  EXPECT_EQ(judge(kernel).cause, Cause::bank_conflicts) << "how busy DRAM is is not said";
  kernel.metrics["dram__throughput.avg.pct_of_peak_sustained_elapsed"] = 30;
  EXPECT_EQ(judge(kernel).cause, Cause::bank_conflicts);
  kernel.metrics["dram__throughput.avg.pct_of_peak_sustained_elapsed"] = 92;
  EXPECT_EQ(judge(kernel).cause, Cause::none);
}

TEST_F(NcuCsv, TheBusiestPipeIsNamedWithItsShare) {
  NcuKernel kernel = busy(70, 10);
  kernel.metrics["sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"] = 31;
  kernel.metrics["sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"] = 64;
  EXPECT_NE(judge(kernel).reason.find("most of all of the pipe fma (64 %)"), std::string::npos)
      << judge(kernel).reason;
}

TEST_F(NcuCsv, BusyCachesAreNoBusyMemory) {
  NcuKernel kernel = busy(10, 92);
  kernel.metrics["dram__throughput.avg.pct_of_peak_sustained_elapsed"] = 81;
  EXPECT_EQ(judge(kernel).cause, Cause::few_bytes);
  EXPECT_NE(judge(kernel).reason.find("the caches are busy, memory is not (81 %)"),
            std::string::npos);
  kernel.metrics["dram__throughput.avg.pct_of_peak_sustained_elapsed"] = 82;
  EXPECT_EQ(judge(kernel).cause, Cause::none) << judge(kernel).reason;
}

TEST_F(NcuCsv, SectorsARequestAreReadOrDivided) {
  NcuKernel kernel = busy(10, 10);
  kernel.metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"] = 90;
  kernel.metrics["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] = 20;
  kernel.metrics["l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio"] = 7.25;
  std::ostringstream out;
  print_ncu(out, {kernel});
  EXPECT_NE(out.str().find("global   4.5 sectors a request of loads, 7.2 of stores\n"),
            std::string::npos)
      << out.str();
}

TEST_F(NcuCsv, JudgesWithTheMetricsThatThereAre) {
  EXPECT_EQ(judge(NcuKernel{"k", "", "", {}}).limiter, "");
  EXPECT_NE(judge(NcuKernel{"k", "", "", {}}).reason.find("--section SpeedOfLight"),
            std::string::npos);
  EXPECT_EQ(judge(busy(90, 10)).limiter, "compute, near the roof");
  EXPECT_EQ(judge(busy(10, 10)).cause, Cause::none); // nothing says what it waits for
  NcuKernel waits = busy(10, 10);
  waits.metrics["smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio"] = 5;
  waits.metrics["smsp__average_warps_issue_stalled_selected_per_issue_active.ratio"] = 9;
  EXPECT_NE(judge(waits).reason.find("barriers"), std::string::npos);
  waits.metrics["smsp__average_warps_issue_stalled_math_pipe_throttle_per_issue_active.ratio"] =
      5.2;
  EXPECT_EQ(judge(waits).cause, Cause::none) << "nothing of memory";
  EXPECT_NE(judge(waits).reason.find("math_pipe_throttle"), std::string::npos);
  waits.metrics["smsp__average_warps_issue_stalled_short_scoreboard_per_issue_active.ratio"] = 5.5;
  waits.metrics["smsp__warps_eligible.avg.per_cycle_active"] = 0.25;
  EXPECT_EQ(judge(waits).cause, Cause::few_bytes);
  EXPECT_EQ(judge(waits).reason, "warps wait for shared memory most of all (0.25 warps a cycle can "
                                 "go on): many narrow accesses to it");
  waits.metrics["smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio"] = 6;
  EXPECT_EQ(judge(waits).cause, Cause::few_bytes);
  // Older names of bank conflicts in all of shared memory.
  waits.metrics["l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"] = 11;
  waits.metrics["l1tex__data_pipe_lsu_wavefronts_mem_shared.sum"] = 100;
  EXPECT_EQ(judge(waits).cause, Cause::bank_conflicts);
}

} // namespace
} // namespace ado::bench
