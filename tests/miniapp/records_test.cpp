// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// --json, --csv and --markdown of the program.
#include "csv_reader.hpp"
#include "program.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <set>

namespace ado::bench {
namespace {

const std::string small_run = "--algorithm yax --variant team --rows 41 --cols 67 --reps 3 ";

class MiniappRecords : public MiniappRun {};

TEST_F(MiniappRecords, AllFormatsOfOneRunAgree) {
  const Outcome outcome = miniapp(small_run + "--json " + path("r.json") + " --csv " +
                                  path("r.csv") + " --markdown " + path("r.md"));
  ASSERT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(files(), 3u);
  const auto json = nlohmann::json::parse(contents(path("r.json")));
  const auto csv = read_csv(contents(path("r.csv")));
  const std::string markdown = contents(path("r.md"));
  const std::string date = json.at("context").at("date");
  ASSERT_EQ(csv.size(), 3u) << "titles, the portable and the native variant";
  const auto column = [&](const char* title) {
    return std::find(csv[0].begin(), csv[0].end(), title) - csv[0].begin();
  };
  for (const std::size_t line : {1, 2}) {
    const auto& entry = json.at("benchmarks").at(line == 1 ? 0 : json.at("benchmarks").size() / 2);
    EXPECT_EQ(std::stod(csv[line].at(column("median_seconds"))), entry.at("median_seconds"));
    EXPECT_EQ(csv[line].at(column("date")), date);
  }
  EXPECT_NE(markdown.find(date), std::string::npos) << markdown;
  EXPECT_NE(markdown.find("\n| team | "), std::string::npos) << markdown;
}

TEST_F(MiniappRecords, RowsThatLieApartAreAProblemOfTheirOwn) {
  const std::string run =
      "--algorithm transpose,vector_add --variant flat,strided --model kokkos --rows 41 "
      "--cols 67 --elements 1001 --reps 5 --json ";
  const Outcome outcome = miniapp(run + path("both.json") + " --row-padding 0,3");
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_NE(outcome.out.find("\ntranspose i32: rows 41 x cols 67, row padding 3, "),
            std::string::npos)
      << outcome;
  const nlohmann::json document = nlohmann::json::parse(contents(path("both.json")));
  std::map<std::string, nlohmann::json> cases;
  for (const nlohmann::json& entry : document.at("benchmarks"))
    cases.emplace(entry.at("name"), entry);
  ASSERT_EQ(cases.size(), 3u) << "a vector has no rows";
  const std::string name = "transpose/kokkos_flat/rows:41/cols:67/", apart = "row_padding:3/";
  const nlohmann::json &with = cases.at(name + apart + "type:i32"),
                       &without = cases.at(name + "type:i32");
  EXPECT_EQ(with.at("sizes").at("row_padding"), 3);
  EXPECT_FALSE(without.at("sizes").contains("row_padding"));
  EXPECT_EQ(with.at("bytes"), without.at("bytes")) << "gaps are not moved";
  EXPECT_TRUE(without.contains("predicted_sectors_per_load_request"));
  EXPECT_FALSE(with.contains("predicted_sectors_per_load_request")) << "those of packed rows";
  EXPECT_EQ(miniapp(run + path("packed.json")).status, 0);
  const Outcome compared = miniapp("compare " + path("both.json") + " " + path("packed.json"));
  EXPECT_NE(compared.out.find(", 1 not compared\n"), std::string::npos) << compared;
}

/// All except Google Benchmark's fields, which Google Benchmark documents.
TEST_F(MiniappRecords, ExplainRecordNamesEveryField) {
  const std::set<std::string> benchmark{"name",      "run_name",   "run_type",
                                        "threads",   "iterations", "repetition_index",
                                        "real_time", "cpu_time",   "time_unit"};
  const Outcome outcome =
      miniapp(small_run + "--reference serial/serial --json - --csv " + path("r.csv"));
  ASSERT_EQ(outcome.status, 0) << outcome;
  std::vector<std::string> fields = read_csv(contents(path("r.csv"))).at(0);
  const auto json = nlohmann::json::parse(outcome.out);
  for (const auto& [field, value] : json.at("benchmarks").at(0).items())
    fields.push_back(field);
  const Outcome explained = miniapp("explain record");
  for (const std::string& field : fields)
    EXPECT_TRUE(benchmark.count(field) == 1 || field == "sizes" ||
                explained.out.find("    " + field + "\n") != std::string::npos ||
                explained.out.find("    " + field + " (") != std::string::npos)
        << field;
}

TEST_F(MiniappRecords, OneOfThemMayTakeStdoutAndTheTableGoesToStderr) {
  const Outcome outcome = miniapp(small_run + "--csv -");
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(read_csv(outcome.out).size(), 3u) << outcome;
  EXPECT_NE(outcome.err.find("results verified"), std::string::npos) << outcome;
  const Outcome markdown = miniapp(small_run + "--markdown - --csv " + path("r.csv"));
  EXPECT_EQ(markdown.status, 0) << markdown;
  EXPECT_EQ(markdown.out.rfind("**", 0), 0u) << markdown;
  EXPECT_NE(markdown.err.find("results verified"), std::string::npos) << markdown;
  EXPECT_EQ(read_csv(contents(path("r.csv"))).size(), 3u);
}

TEST_F(MiniappRecords, WhatCannotBeWrittenIsRefusedBeforeTheRun) {
  expect_refused(small_run + "--json - --csv -", {"--csv -", "--json already goes to stdout"});
  expect_refused(small_run + "--markdown - --csv -", {"--csv already goes to stdout"});
  expect_refused(small_run + "--csv " + path("r") + " --markdown " + path("r"),
                 {"--markdown", path("r"), "is also the file of --csv"});
  // What the program writes besides the named file.
  const std::string json = small_run + "--json " + path("r.json");
  for (const char* option : {"--csv", "--markdown"})
    expect_refused(json + " " + option + " " + path("r.json.partial"),
                   {path("r.json.partial"), "also the file of " + std::string(option)});
  const std::string timeline = "--timeline " + path("r.svg") + " --json ";
  expect_refused("--algorithm pipeline " + timeline + path("r_kokkos_overlapped.svg"),
                 {"--timeline", "also the file of --json", "r_kokkos_overlapped.svg"});
  expect_refused("--algorithm pipeline --timeline " + path("r.svg") +
                     " --output result=" + path("r_x.svg"),
                 {"--output result", "also the file of --timeline"});
  for (const char* option : {"--csv ", "--markdown "})
    expect_refused(small_run + option + path("no/r"), {path("no/r"), "No such file"});
  EXPECT_EQ(files(), 0u) << "something was left behind";
}

TEST_F(MiniappRecords, CeilingsAreMeasuredOnceAMachineAndKept) {
  const auto ceilings_of = [&](const std::string& options, const Words& environment) {
    const Outcome outcome = miniapp(small_run + "--ceilings " + path("c") + " --json - " + options,
                                    {.environment = environment});
    EXPECT_EQ(outcome.status, 0) << outcome;
    const auto json = nlohmann::json::parse(outcome.out).at("context");
    return std::pair(json.at("ceilings"), outcome.err.find("kept in") != std::string::npos);
  };
  const auto [measured, was_kept] = ceilings_of("", {});
  EXPECT_FALSE(was_kept);
  const auto [kept, is_kept] = ceilings_of("--seed 2", {});
  EXPECT_TRUE(is_kept);
  EXPECT_EQ(measured, kept);
  const char* const bind = std::getenv("OMP_PROC_BIND");
  const bool is_false = bind != nullptr && std::string(bind) == "false";
  const auto [elsewhere, from_here] =
      ceilings_of("", {is_false ? "OMP_PROC_BIND=true" : "OMP_PROC_BIND=false"});
  EXPECT_FALSE(from_here) << "another environment";
  for (const char* profiler : {"NVTX_INJECTION64_PATH=none", "CUDA_INJECTION64_PATH=none"})
    EXPECT_FALSE(ceilings_of("", {profiler}).second) << "it slows the run";
  expect_refused(small_run + "--ceilings " + path("c") + " --json " + path("c"),
                 {"--ceilings", path("c"), "is also the file of --json"});
}

TEST_F(MiniappRecords, ARowThatFailsIsALineWithItsReason) {
  const Outcome outcome = miniapp("--algorithm average_mv --variant team --sets 2^17 "
                                  "--length 2^17 --vectors 2^17 --reps 2 --csv -");
  EXPECT_EQ(outcome.status, 3) << outcome;
  EXPECT_NE(outcome.out.find("out of memory"), std::string::npos) << outcome;
}

} // namespace
} // namespace ado::bench
