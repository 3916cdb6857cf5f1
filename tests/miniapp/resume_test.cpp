// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sweep that is interrupted and resumed.
#include "program.hpp"

#include <nlohmann/json.hpp>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

namespace ado::bench {
namespace {

using Json = nlohmann::json;

/// Every element is verified, except for one size that no memory holds.
const std::string sweep = "--algorithm yax,transpose --variant team,serial --cols 67 "
                          "--sweep rows=100:600:+100,2^40,50 --min-time 0.03 --timeout 0.06 "
                          "--reference serial/serial ";

class MiniappResume : public MiniappRun {
protected:
  /// Set in each run, because --resume refuses other variables.
  void SetUp() override {
    setenv("OMP_WAIT_POLICY", "passive", 1);
    MiniappRun::SetUp();
  }
  std::string json(const std::string& name) const { return "--json " + path(name); }
  std::size_t journal_lines() const {
    const std::string text = contents(path("r.json.partial"));
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
  /// Sends the signal as soon as the journal has `lines` lines.
  Outcome cut_short(const std::string& command_line, int signal, std::size_t lines) const {
    const auto end_it = [&](pid_t program) {
      while (journal_lines() < lines && kill(program, 0) == 0)
        usleep(500);
      kill(program, signal);
    };
    return miniapp(command_line, {.meanwhile = end_it});
  }
  /// A record without its times: the context, and one entry per variant of each case.
  Json without_times(const std::string& name) const {
    Json document = Json::parse(contents(path(name)));
    for (const char* key :
         {"date", "interrupted_runs", "ceilings", "command_line", "load_avg", "warnings"})
      document["context"].erase(key);
    Json entries = Json::array();
    for (const Json& entry : document["benchmarks"]) {
      if (!entries.empty() && entries.back().at("name") == entry.at("name")) continue;
      Json& kept = entries.emplace_back();
      for (const char* key :
           {"name", "algorithm", "variant", "model", "backend", "type", "verified", "bytes",
            "flops", "may_stay_in_cache", "distinct_outputs", "max_error", "share_of_error_bound",
            "reference", "max_difference", "native", "error_occurred", "error_message"})
        if (entry.contains(key)) kept[key] = entry.at(key);
      if (kept.contains("error_message")) { // depends on the free memory
        const std::string message = kept["error_message"];
        kept["error_message"] = message.substr(0, message.find(','));
      }
    }
    document["benchmarks"] = entries;
    return document;
  }
};

TEST_F(MiniappResume, ASweepThatWasEndedThriceEqualsAnUnbrokenOne) {
  const Outcome unbroken = miniapp(sweep + json("whole.json"));
  ASSERT_EQ(unbroken.status, 3) << unbroken;
  const Json expected = without_times("whole.json");
  ASSERT_GE(expected.at("benchmarks").size(), 48u) << "three variants, eight sizes, two algorithms";
  const auto cut = [&](int signal, std::size_t lines, const std::string& resume) {
    SCOPED_TRACE(strsignal(signal));
    const Outcome ended = cut_short(sweep + json("r.json") + resume, signal, lines);
    ASSERT_EQ(ended.status, 128 + signal) << ended;
    EXPECT_FALSE(std::filesystem::exists(path("r.json")));
    EXPECT_GE(journal_lines(), lines);
    if (signal == SIGKILL) return;
    EXPECT_NE(ended.err.find(path("r.json.partial") + ": the same command line with --resume"),
              std::string::npos)
        << ended;
    EXPECT_NE(ended.out.find("results verified"), std::string::npos) << ended;
  };
  cut(SIGINT, 4, "");
  cut(SIGKILL, 9, " --resume");
  std::ofstream(path("r.json.partial"), std::ios::app) << R"({"row":"yax/ro)"; // cut off
  cut(SIGTERM, 18, " --resume");
  const Outcome resumed = miniapp(sweep + "--csv " + path("r.csv") + " --resume " + json("r.json"));
  EXPECT_EQ(resumed.status, 3) << resumed;
  EXPECT_NE(resumed.err.find("going on with"), std::string::npos) << resumed;
  const Json difference = Json::diff(without_times("r.json"), expected);
  EXPECT_TRUE(difference.empty()) << difference.dump(1);
  const Json context = Json::parse(contents(path("r.json"))).at("context");
  EXPECT_EQ(context.at("interrupted_runs").size(), 3u);
  EXPECT_EQ(files(), 3u) << "whole.json, r.json and r.csv";
}

TEST_F(MiniappResume, WhatWasMeasuredIsNotMeasuredAgain) {
  ASSERT_EQ(cut_short(sweep + json("r.json"), SIGKILL, 6).status, 128 + SIGKILL);
  const std::string journal = contents(path("r.json.partial"));
  const Json row = Json::parse(journal.substr(journal.find('\n') + 1)
                                   .substr(0, journal.substr(journal.find('\n') + 1).find('\n')));
  const Json head = Json::parse(journal.substr(0, journal.find('\n')));
  ASSERT_EQ(miniapp(sweep + json("r.json") + " --resume").status, 3);
  const Json document = Json::parse(contents(path("r.json")));
  const Json& entry = document.at("benchmarks").at(0);
  const Json& side = row.at(row.at("portable").is_null() ? "native" : "portable");
  const std::vector<double> seconds = side.at("seconds");
  EXPECT_EQ(entry.at("real_time").get<double>(), seconds.at(0) * 1e3);
  EXPECT_EQ(entry.at("repetitions"), seconds.size());
  EXPECT_EQ(document.at("context").at("ceilings").at("read_bytes_per_second"),
            head.at("ceilings").at("read_bytes_per_second"))
      << "one set of ceilings for all rows";
}

TEST_F(MiniappResume, AJournalIsNeitherThrownAwayNorMixedWithAnotherRun) {
  ASSERT_EQ(cut_short(sweep + json("r.json"), SIGKILL, 4).status, 128 + SIGKILL);
  const std::string journal = contents(path("r.json.partial"));
  const auto refuse = [&](const std::string& options, const std::string& why,
                          const Words& environment = {}) {
    SCOPED_TRACE(options);
    const Outcome outcome = miniapp(options + json("r.json"), {.environment = environment});
    EXPECT_EQ(outcome.status, 2) << outcome;
    EXPECT_NE(outcome.err.find(path("r.json.partial")), std::string::npos) << outcome;
    EXPECT_NE(outcome.err.find(why), std::string::npos) << outcome;
    EXPECT_EQ(contents(path("r.json.partial")), journal);
  };
  refuse(sweep, "with --resume the run goes on");
  refuse(sweep + "--resume --seed 2 ", "its command line is");
  refuse(sweep + "--resume ", "OMP_PLACES", {"OMP_PLACES=cores"});
  refuse("--resume --algorithm yax --rows 5 --cols 5 ", "its command line is");
  std::ofstream(path("r.json.partial")) << "notes\n";
  const Outcome foreign = miniapp(sweep + "--resume " + json("r.json"));
  EXPECT_EQ(foreign.status, 2) << foreign;
  EXPECT_NE(foreign.err.find("is no journal"), std::string::npos) << foreign;
  EXPECT_EQ(contents(path("r.json.partial")), "notes\n");
}

/// One byte after the program may mean another kernel; the commit does not show it.
TEST_F(MiniappResume, AnotherProgramIsRefused) {
  const std::string one = "--algorithm yax --variant team --sweep rows=100:600:+100 --cols 67 "
                          "--min-time 0.03 --timeout 0.06 " +
                          json("r.json");
  ASSERT_EQ(cut_short(one, SIGKILL, 2).status, 128 + SIGKILL);
  std::filesystem::copy_file(ADO_MINIAPP, path("miniapp"));
  std::ofstream(path("miniapp"), std::ios::app | std::ios::binary) << '\0';
  const Outcome refused = run_program("/bin/sh", {"-c", path("miniapp") + " " + one + " --resume"});
  EXPECT_EQ(refused.status, 2) << refused;
  EXPECT_NE(refused.err.find("is of another run: its program is 'checksum "), std::string::npos)
      << refused;
  EXPECT_NE(refused.err.find("or delete the file to begin anew"), std::string::npos) << refused;
  EXPECT_EQ(miniapp(one + " --resume").status, 0);
}

/// A row in the program's own format that somebody edited.
TEST_F(MiniappResume, ARowThatContradictsItselfIsRefused) {
  const std::string one = "--algorithm yax --variant team --sweep rows=100:600:+100 --cols 67 "
                          "--min-time 0.03 --timeout 0.06 " +
                          json("r.json");
  ASSERT_EQ(cut_short(one, SIGKILL, 2).status, 128 + SIGKILL);
  std::string journal = contents(path("r.json.partial"));
  const std::string seconds = "\"seconds\":[";
  journal.insert(journal.find(seconds, journal.find('\n')) + seconds.size(), "-");
  std::ofstream(path("r.json.partial"), std::ios::binary) << journal;
  const Outcome refused = miniapp(one + " --resume");
  EXPECT_EQ(refused.status, 2) << refused;
  EXPECT_NE(refused.err.find(path("r.json.partial") + ": row yax/rows:100/cols:67/"),
            std::string::npos)
      << refused;
  EXPECT_NE(refused.err.find("seconds are not all above 0, or no machine lives so long; to begin "
                             "anew, delete the file"),
            std::string::npos)
      << refused;
  EXPECT_EQ(contents(path("r.json.partial")), journal);
}

TEST_F(MiniappResume, KeepsHowRowsWereStreamed) {
  const std::string streams = "--algorithm transpose --variant team,serial --cols 67 --backend " +
                              host_backend() +
                              " --sweep rows=100:600:+100 --min-time 0.03 --timeout 0.06 "
                              "--device-memory 40kB " +
                              json("r.json");
  ASSERT_EQ(cut_short(streams, SIGKILL, 4).status, 128 + SIGKILL);
  const Outcome resumed = miniapp(streams + " --resume");
  ASSERT_EQ(resumed.status, 0) << resumed;
  const Json document = Json::parse(contents(path("r.json")));
  std::size_t first_entries = 0;
  for (const Json& entry : document.at("benchmarks")) {
    if (!entry.contains("flops")) continue; // not the first of its variant
    ++first_entries;
    ASSERT_TRUE(entry.contains("streamed")) << entry.at("name");
    EXPECT_GE(entry.at("streamed").at("slices"), 2u);
    EXPECT_LE(entry.at("streamed").at("device_bytes"), 40000u);
  }
  EXPECT_EQ(first_entries, 6u * 3) << "six sizes, three variants";
}

TEST_F(MiniappResume, NeedsAFileAndBeginsWhereThereIsNone) {
  for (const char* option : {"", "--json -", "--csv x.csv"})
    expect_refused(std::string("--resume ") + option, {"--resume", "--json FILE"});
  const Outcome first = miniapp(
      "--algorithm yax --variant team --rows 5 --cols 7 --reps 2 --resume " + json("r.json"));
  EXPECT_EQ(first.status, 0) << first;
  EXPECT_EQ(files(), 1u);
}

/// Output to a closed pipe ends the program, but only after the record is whole.
TEST_F(MiniappResume, AReaderThatGoesAwayCostsNoRecord) {
  const std::string command =
      "--algorithm yax --variant team --rows 50 --cols 60 --min-time 1 --timeout 1 " +
      json("r.json");
  run_program("/bin/sh", {"-c", ADO_MINIAPP " " + command + " | sed /ceilings/q"});
  const Json entries = Json::parse(contents(path("r.json"))).at("benchmarks");
  ASSERT_FALSE(entries.empty());
  EXPECT_EQ(entries[0].at("verified"), true);
  EXPECT_EQ(files(), 1u) << "the record alone";
}

TEST_F(MiniappResume, WithoutARecordTheTableSoFarIsShown) {
  const auto end_it = [](pid_t program) {
    sleep(3); // the ceilings take their time; earlier or later is right too
    kill(program, SIGINT);
  };
  const Outcome ended = miniapp("--algorithm yax --variant team --rows 50 --cols 60 --reps 1000000 "
                                "--csv " +
                                    path("r.csv"),
                                {.meanwhile = end_it});
  EXPECT_EQ(ended.status, 128 + SIGINT) << ended;
  EXPECT_NE(ended.err.find("interrupted after 0 of 1 row;"), std::string::npos) << ended;
  EXPECT_NE(ended.err.find("with --json FILE"), std::string::npos) << ended;
  EXPECT_EQ(files(), 0u);
}

} // namespace
} // namespace ado::bench
