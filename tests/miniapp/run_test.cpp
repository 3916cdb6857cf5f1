// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the mini-app prints, records and returns.
#include "csv_reader.hpp"
#include "program.hpp"
#include <ado/registry/registry.hpp>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

namespace ado::bench {
namespace {

using Json = nlohmann::json;

const std::string small_yax = "--algorithm yax --rows 41 --cols 67 --reps 3";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The lines of the table that start with `first`, as words.
std::vector<Words> rows_of(const std::string& screen, const std::string& first) {
  std::vector<Words> rows;
  std::istringstream lines(screen);
  for (std::string line; std::getline(lines, line);)
    if (const Words cells = words(line); !cells.empty() && cells[0] == first) rows.push_back(cells);
  return rows;
}

/// The row of this variant, which must appear once.
Words row_of(const std::string& screen, const std::string& variant) {
  const auto rows = rows_of(screen, variant);
  EXPECT_EQ(rows.size(), 1u) << variant << " in\n" << screen;
  return rows.empty() ? Words(12) : rows[0];
}

class Miniapp : public MiniappRun {
protected:
  Outcome broken_miniapp(const std::string& command_line) const {
    return run_program(ADO_BROKEN_MINIAPP,
                       words(command_line + " --backend " + host_backend() + " " + small_yax));
  }
};

TEST_F(Miniapp, ARunPrintsOneTableAndWhatItMeansOnStdout) {
  const Outcome outcome = miniapp("--rows 41 --cols 67 --sets 5 --length 7 --vectors 11 --reps 3");
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(outcome.err, "");
  for (const char* part :
       {"CPU ", "device ", "ceilings read", "average_mv f32: sets 5 x length 7 x vectors 11, ",
        "transpose i32: rows 41 x cols 67, ", "yax f64: rows 41 x cols 67, ", "/native", "ceiling",
        "limiter", "verified", "results verified", "geometric mean", "Kokkos "})
    EXPECT_TRUE(contains(outcome.out, part)) << part << " is not in\n" << outcome.out;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80u) << line;
  EXPECT_TRUE(contains(outcome.out, "less than four times the last-level cache") ||
              contains(outcome.out, "last-level cache unknown"))
      << outcome.out;
  const std::string table = outcome.out.substr(0, outcome.out.find(" results verified"));
  EXPECT_EQ(rows_of(table, "team").size(), 3u) << outcome.out;
  EXPECT_FALSE(contains(outcome.out, "WRONG"));
}

TEST_F(Miniapp, RowsClimbTheLadderToTheBest) {
  const Outcome outcome = miniapp(small_yax);
  std::vector<std::size_t> places;
  const Algorithm& yax = *find_algorithm("yax");
  for (const std::string_view rung : yax.ladder)
    for (const Words& row : rows_of(outcome.out, std::string(rung)))
      if (row.size() > 4) places.push_back(outcome.out.find("\n" + row[0] + " "));
  const std::string list = miniapp("--list").out;
  const bool has_kernels = contains(list, " kokkos_kernels "); // these bring a rung
  EXPECT_GE(places.size(), has_kernels ? 10u : 9u) << outcome.out;
  EXPECT_TRUE(std::is_sorted(places.begin(), places.end())) << outcome.out;
  EXPECT_GT(outcome.out.find("\nteam "), outcome.out.find("\nrow_per_team "));
  EXPECT_LT(list.find("\n  strided "), list.find("\n  coalesced ", list.find("vector_add")));
}

TEST_F(Miniapp, ARowIsShownAsSoonAsItIsMeasured) {
  std::string seen; // while the second row runs
  const auto watch = [&](pid_t) {
    for (int tries = 0; tries < 6000 && !contains(seen, "\nrow_per_thread "); ++tries) {
      usleep(20000);
      seen = contents(path("stdout.txt"));
    }
  };
  const Outcome outcome =
      miniapp("--algorithm yax --rows 41 --cols 67 --variant row_per_thread,team "
              "--min-time 1 --timeout 1",
              {.meanwhile = watch});
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_TRUE(contains(seen, "\nrow_per_thread ")) << seen;
  EXPECT_FALSE(contains(seen, "\nteam ")) << seen;
  EXPECT_TRUE(contains(outcome.out, "\nteam ")) << outcome;
}

TEST_F(Miniapp, ANativeTwinOfAnotherNameIsNamedInFull) {
  if (host_backend() != "openmp") GTEST_SKIP() << "the host's backend is " << host_backend();
  const Outcome outcome = miniapp(small_yax + " --backend openmp --variant team,row_per_team");
  EXPECT_EQ(row_of(outcome.out, "team")[3], "openmp") << outcome;
  EXPECT_EQ(row_of(outcome.out, "row_per_team")[3], "openmp/team") << outcome;
}

TEST_F(Miniapp, JsonHoldsWhatTheTableShows) {
  const Outcome outcome =
      miniapp(small_yax + " --variant team --model kokkos,serial,openmp,cuda " +
              "--reference serial/serial@" + host_backend() + " --json " + path("r.json"));
  ASSERT_EQ(outcome.status, 0) << outcome;
  const Json document = Json::parse(contents(path("r.json")));
  const Json& context = document.at("context");
  for (const char* key : {"date", "host_name", "executable", "num_cpus", "library_build_type"})
    EXPECT_TRUE(context.contains(key)) << key << ", a field of Google Benchmark";
  char host[256] = {};
  ASSERT_EQ(gethostname(host, sizeof host - 1), 0);
  EXPECT_EQ(context.at("host_name"), host);
  for (const char* key : {"kokkos_version", "driver_version", "gpu_uuid"})
    EXPECT_TRUE(context.contains(key)) << key;
  EXPECT_NE(context.value("nvcc_version", "absent"), "");
  EXPECT_EQ(words(context.at("kokkos_version").get<std::string>() + " .").size(), 2u);
  EXPECT_EQ(context.at("command_line").size(), words(small_yax).size() + 9);
  EXPECT_GT(context.at("ceilings").at("read_bytes_per_second").get<double>(), 0);

  std::map<std::string, std::vector<Json>> entries; // by model
  for (const Json& entry : document.at("benchmarks")) {
    for (const char* key :
         {"name", "run_name", "run_type", "repetitions", "repetition_index", "threads",
          "iterations", "real_time", "cpu_time", "time_unit", "bytes_per_second"})
      EXPECT_TRUE(entry.contains(key)) << key;
    if (entry.value("repetition_index", -1) == 0) {
      for (const char* key : {"median_seconds", "first_quartile_seconds", "third_quartile_seconds",
                              "least_seconds", "stopped_by", "share_of_ceiling",
                              "limiter_estimated", "max_error", "speedup", "max_difference"})
        EXPECT_TRUE(entry.contains(key)) << key;
    }
    EXPECT_TRUE(entry.at("verified").get<bool>());
    EXPECT_EQ(entry.at("threads"), 1); // a suffix of the name if it is more
    EXPECT_EQ(entry.at("name"),
              "yax/" + entry.at("model").get<std::string>() + "_team/rows:41/cols:67/type:f64");
    EXPECT_EQ(entry.at("bytes").get<double>(), 8 * (41 * 67 + 41 + 67 + 1));
    EXPECT_EQ(entry.at("sizes"), (Json{{"rows", 41}, {"cols", 67}}));
    entries[entry.at("model")].push_back(entry);
  }
  ASSERT_EQ(entries.size(), 2u) << "the portable and the native side";
  const auto median = [&](const std::vector<Json>& list) {
    std::vector<double> times;
    for (const Json& entry : list)
      times.push_back(entry.at("real_time"));
    std::sort(times.begin(), times.end());
    return times.at(1);
  };
  const auto& portable = entries.at("kokkos");
  const auto& native = entries.at(entries.count("cuda") ? "cuda" : "openmp");
  ASSERT_EQ(portable.size(), 3u);
  ASSERT_EQ(native.size(), 3u);
  EXPECT_GT(portable[0].at("kernel_lines"), portable[0].at("kernel_lines_of_one_backend"));
  for (const Json& other : {portable[1], native[0]})
    EXPECT_FALSE(other.contains("kernel_lines") || other.contains("kernel_lines_of_one_backend"));
  const auto ratio_in_run = [&](std::size_t run) {
    return portable[run].at("real_time").get<double>() / native[run].at("real_time").get<double>();
  };
  const double ratio = portable[0].at("portable_over_native");
  const auto [least, most] = std::minmax({ratio_in_run(0), ratio_in_run(1), ratio_in_run(2)});
  EXPECT_LE(least, ratio);
  EXPECT_GE(most, ratio);
  EXPECT_DOUBLE_EQ(1e3 * portable[0].at("median_seconds").get<double>(), median(portable));
  EXPECT_EQ(portable[0].at("stopped_by"), "reps");
  // variant, ms, ms, native, ratio
  const Words row = row_of(outcome.out, "team");
  EXPECT_NEAR(std::stod(row[1]), median(portable), 1e-2 * median(portable));
  EXPECT_NEAR(std::stod(row[2]), median(native), 1e-2 * median(native));
  EXPECT_NEAR(std::stod(row[4]), ratio, std::max(0.0006, 0.006 * ratio));
  EXPECT_TRUE(contains(outcome.out, "\n2 of 2 results verified\n")) << outcome.out;
}

/// The times of three runs are never all equal.
TEST_F(Miniapp, NoiseThatWasNotReachedIsTheExitStatus) {
  const std::string run = "--algorithm yax --variant team --rows 41 --cols 67 --timeout 0 ";
  const Outcome noisy = miniapp(run + "--max-noise 0 --csv " + path("r.csv"));
  EXPECT_EQ(noisy.status, 5) << noisy;
  EXPECT_TRUE(contains(noisy.out, "noisier than --max-noise (~)")) << noisy;
  for (const auto& line : ado::bench::csv_entries(contents(path("r.csv")))) {
    EXPECT_EQ(line.at("repetitions"), "3");
    EXPECT_EQ(line.at("stopped_by"), "timeout");
  }
  EXPECT_EQ(miniapp(run).status, 0) << "none was asked for";
}

TEST_F(Miniapp, ASweepRunsEveryCaseAndOneThatDoesNotFitIsARow) {
  const std::string sweep = "--algorithm average_mv,transpose --variant team --sets 3 --length 5 "
                            "--vectors 7 --reps 2 --sweep cols=9,2^50,11 --sweep rows=4:16:x2";
  const Outcome outcome = miniapp(sweep + " --json " + path("r.json"));
  EXPECT_EQ(outcome.status, 3) << outcome;
  EXPECT_TRUE(contains(outcome.err, "10 cases; the largest, transpose i32: rows 16 x cols "
                                    "1125899906842624, needs"))
      << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "; 3 will not fit")) << outcome.err;
  EXPECT_EQ(rows_of(outcome.out, "team").size(), 10u) << outcome.out;
  EXPECT_EQ(rows_of(outcome.out, "ceilings").size(), 1u) << outcome.out;

  std::map<std::string, int> entries; // by name
  std::set<std::string> failed;
  const Json document = Json::parse(contents(path("r.json")));
  for (const Json& entry : document.at("benchmarks")) {
    ++entries[entry.at("name")];
    if (entry.value("error_occurred", false)) failed.insert(entry.at("name"));
  }
  ASSERT_EQ(entries.size(), 20u) << "two sides of ten cases";
  for (const auto& [name, count] : entries) {
    EXPECT_EQ(failed.count(name), contains(name, "cols:1125899906842624/") ? 1u : 0u) << name;
    EXPECT_EQ(count, failed.count(name) == 1 ? 1 : 2) << name;
  }
  EXPECT_EQ(entries.count("transpose/kokkos_team/rows:8/cols:11/type:i32"), 1u);

  const Outcome dry = miniapp(sweep + " --dry-run --json " + path("none.json"));
  EXPECT_EQ(dry.status, 0) << dry;
  EXPECT_EQ(rows_of(dry.out, "transpose").size(), 9u) << dry.out;
  EXPECT_TRUE(contains(dry.out, "10 cases; the largest")) << dry.out;
  EXPECT_FALSE(contains(dry.out, "ceilings")) << "something was measured:\n" << dry.out;
  EXPECT_FALSE(std::filesystem::exists(path("none.json")));
  EXPECT_TRUE(contains(dry.err, "miniapp: --dry-run runs nothing; of no effect: ")) << dry.err;
  EXPECT_TRUE(contains(dry.err, ", --json\n")) << dry.err;
}

TEST_F(Miniapp, JsonOnStdoutLeavesTheTableToStderr) {
  const Outcome outcome = miniapp(small_yax + " --json -");
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_FALSE(Json::parse(outcome.out).at("benchmarks").empty());
  EXPECT_TRUE(contains(outcome.err, "results verified")) << outcome.err;
}

TEST_F(Miniapp, AReferenceAddsSpeedupAndDifference) {
  const std::string reference = "serial/serial@" + host_backend();
  const Outcome outcome = miniapp("--rows 41 --cols 67 --algorithm yax,transpose --reps 3 "
                                  "--reference " +
                                  reference);
  EXPECT_EQ(outcome.status, 0) << outcome;
  for (const std::string& part : {std::string("speedup"), std::string("max diff"), reference})
    EXPECT_TRUE(contains(outcome.out, part)) << part;
  // If an algorithm lacks it, its cells are empty and the reason is given.
  const Outcome other = miniapp("--rows 41 --cols 67 --algorithm yax,transpose --reps 3 "
                                "--variant team --reference kokkos/row_per_thread");
  EXPECT_EQ(other.status, 0) << other;
  EXPECT_TRUE(contains(other.out, "reference: transpose has no such variant")) << other.out;
  EXPECT_FALSE(contains(other.out, "reference: yax")) << other.out;
}

TEST_F(Miniapp, AReferenceMayRunOnFewerThreads) {
  if (host_backend() != "openmp") GTEST_SKIP() << "the host's backend is " << host_backend();
  const Outcome outcome = miniapp(small_yax + " --backend openmp --reference openmp/team@openmp:1");
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_TRUE(contains(outcome.out, "The reference is openmp/team@openmp:1.")) << outcome.out;
}

TEST_F(Miniapp, ListShowsVariantsAndTheMachineAndRunsNothing) {
  const Outcome outcome = miniapp("--list");
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_EQ(outcome.err, "");
  for (const char* part : {"average_mv: y[i][n] = ", "m_outer", "row_per_thread", "kokkos", "CPU ",
                           "device ", "backends ", "last-level cache"})
    EXPECT_TRUE(contains(outcome.out, part)) << part;
  EXPECT_FALSE(contains(outcome.out, "ceilings")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "  backend  what it is\n")) << outcome.out;
  EXPECT_FALSE(contains(miniapp("--list --algorithm pipeline").out, "one backend"));
}

TEST_F(Miniapp, ListShowsWhatIsSelected) {
  const std::string backend = host_backend();
  const Outcome outcome = miniapp("--list --algorithm yax --model kokkos --exclude-variant team "
                                  "--backend " +
                                  backend);
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_TRUE(contains(outcome.out, "row_per_thread")) << outcome;
  for (const char* other : {"transpose", "serial  ", "\n  team"})
    EXPECT_FALSE(contains(outcome.out, other)) << other << outcome;
  const Outcome none = miniapp("--list --algorithm yax --variant m_outer");
  EXPECT_EQ(none.status, 0) << none;
  EXPECT_TRUE(contains(none.out, "nothing is selected; --list alone shows all\n")) << none;
}

/// Like a record: on stdout it replaces the list.
TEST_F(Miniapp, ListIsJsonToo) {
  const std::string list = "--list --algorithm yax,average_mv --variant team --json ";
  const Outcome outcome = miniapp(list + "-");
  EXPECT_EQ(outcome.status, 0) << outcome;
  EXPECT_TRUE(contains(outcome.err, "yax: result = ")) << outcome;
  const Json json = Json::parse(outcome.out);
  ASSERT_EQ(json.at("algorithms").size(), 2u);
  EXPECT_EQ(json.at("algorithms").at(0).at("algorithm"), "average_mv");
  const Json& yax = json.at("algorithms").at(1);
  EXPECT_EQ(yax.at("algorithm"), "yax");
  std::set<std::string> models;
  for (const Json& entry : yax.at("variants")) {
    EXPECT_EQ(entry.at("variant"), "team");
    EXPECT_EQ(entry.at("types"), Json({"f32", "f64"}));
    models.insert(entry.at("model"));
    EXPECT_EQ(entry.value("kernel_lines", 0) > entry.value("kernel_lines_of_one_backend", 0),
              entry.at("model") == "kokkos");
  }
  EXPECT_TRUE(models.count("kokkos") == 1 && models.count("openmp") == 1) << yax;
  EXPECT_FALSE(json.at("backends").empty());
  EXPECT_EQ(miniapp(list + "stdout").out, outcome.out);
  EXPECT_TRUE(contains(miniapp(list + path("list.json")).out, "yax: result = "));
  EXPECT_EQ(contents(path("list.json")), outcome.out);
}

TEST_F(Miniapp, ADeviceIdWithoutAGpuIsSaidToHaveNoEffect) {
  const Outcome outcome = miniapp("--list --kokkos-device-id=7");
  if (contains(outcome.err, "there is no such device")) {
    EXPECT_EQ(outcome.status, 3); // a machine with GPUs, and fewer than eight
  } else {
    EXPECT_EQ(outcome.status, 0) << outcome;
    EXPECT_TRUE(contains(outcome.err, "--kokkos-device-id=7 has no effect")) << outcome.err;
  }
}

TEST_F(Miniapp, OptionsOfKokkosPassThrough) {
  const Outcome one = miniapp("--list --kokkos-num-threads=1");
  EXPECT_EQ(one.status, 0) << one;
  const std::string text = host_backend() == "openmp" ? "OpenMP, 1 thread," : "";
  EXPECT_TRUE(
      contains(miniapp("--list --kokkos-num-threads=1 --backend " + host_backend()).out, text));
  const Outcome help = miniapp("--kokkos-help");
  EXPECT_EQ(help.status, 0);
  EXPECT_TRUE(contains(help.out, "--kokkos-num-threads")) << help;
  EXPECT_FALSE(contains(help.out, "verified"));
}

TEST_F(Miniapp, WhatDoesNotFitTheMemoryIsARowAndTheRestStillRuns) {
  const Outcome outcome = miniapp("--algorithm average_mv,yax --variant team --sets 2^17 "
                                  "--length 2^17 --vectors 2^17 --rows 41 --cols 67 --reps 2 "
                                  "--json " +
                                  path("r.json"));
  EXPECT_EQ(outcome.status, 3) << outcome;
  EXPECT_TRUE(contains(outcome.out, "out of memory")) << outcome.out;
  const auto rows = rows_of(outcome.out, "team");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0][1], "-");
  EXPECT_EQ(rows[1].back(), "verified");
  const Json document = Json::parse(contents(path("r.json")));
  const Json& failed = document.at("benchmarks").at(0);
  EXPECT_TRUE(failed.at("error_occurred").get<bool>());
  EXPECT_TRUE(contains(failed.at("error_message"), "out of memory"));
  EXPECT_FALSE(failed.contains("real_time"));
}

TEST_F(Miniapp, AWrongResultShowsNoSpeedAndExitsWith1) {
  for (const std::string variant : {"wrong", "wrong_portable", "idle"}) {
    const Outcome outcome =
        broken_miniapp("--variant " + variant + " --model vendor,kokkos --json " + path("r.json"));
    EXPECT_EQ(outcome.status, 1) << outcome;
    const Words row = row_of(outcome.out, variant);
    for (std::size_t cell = 1; cell < row.size() - 1; ++cell)
      EXPECT_EQ(row[cell].find_first_of("0123456789"), std::string::npos) << outcome.out;
    EXPECT_EQ(row.back(), "WRONG") << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "WRONG on witness data: ")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "\n0 of 1 results verified")) << outcome.out;
    const Json document = Json::parse(contents(path("r.json")));
    ASSERT_EQ(document.at("benchmarks").size(), 1u);
    const Json& entry = document.at("benchmarks")[0];
    EXPECT_TRUE(entry.at("error_occurred").get<bool>());
    EXPECT_FALSE(entry.at("verified").get<bool>());
    for (const char* speed : {"real_time", "cpu_time", "bytes_per_second", "share_of_ceiling"})
      EXPECT_FALSE(entry.contains(speed)) << speed;
  }
}

TEST_F(Miniapp, AWrongPortableResultLeavesItsTwinItsTime) {
  const Outcome outcome = broken_miniapp("--variant wrong_portable");
  EXPECT_EQ(outcome.status, 1) << outcome;
  const Words row = row_of(outcome.out, "wrong_portable");
  EXPECT_EQ(row[1], "-");
  EXPECT_GT(std::stod(row[2]), 0);
  EXPECT_EQ(row[4], "-") << "no ratio to a wrong result";
  EXPECT_TRUE(contains(outcome.out, "native verified; portable: WRONG")) << outcome.out;
}

TEST_F(Miniapp, ATeamSizeThatDoesNotFitIsTheExitStatusAndTheRestRuns) {
  const Outcome outcome =
      miniapp("--algorithm yax --variant one_team,team --model kokkos --rows 41 --cols 67 --reps 3 "
              "--warmup 3 --team-size 4096 --backend " +
              host_backend());
  EXPECT_EQ(outcome.status, 2) << outcome;
  EXPECT_TRUE(contains(outcome.out, "a team of 4096 threads does not fit")) << outcome;
  EXPECT_TRUE(contains(outcome.out, "\n1 of 2 results verified\n")) << outcome;
}

TEST_F(Miniapp, OneFailingVariantDoesNotEndTheRun) {
  const Outcome outcome = broken_miniapp("--variant failing,team");
  EXPECT_EQ(outcome.status, 3) << outcome;
  EXPECT_TRUE(contains(outcome.out, "native: this variant never runs")) << outcome.out;
  EXPECT_EQ(row_of(outcome.out, "team").back(), "verified");
  EXPECT_EQ(broken_miniapp("--variant failing,wrong,team").status, 1) << "wrong comes first";
}

TEST_F(Miniapp, OutputThatCannotBeWrittenIsAnError) {
  for (const std::string& command : {std::string("--version"), std::string("--list"), small_yax}) {
    EXPECT_EQ(miniapp(command, {.stdout_path = "/dev/full"}).status, 2) << command;
    EXPECT_EQ(miniapp(command, {.stdout_closed = true}).status, 2) << command;
  }
  // Output must not land in a file that got the number of the closed stdout.
  const Outcome closed = miniapp(small_yax + " --json " + path("r.json"), {.stdout_closed = true});
  EXPECT_EQ(closed.status, 2) << closed;
  EXPECT_TRUE(contains(closed.err, "stdout: cannot be written")) << closed.err;
  EXPECT_TRUE(Json::accept(contents(path("r.json"))));
}

} // namespace
} // namespace ado::bench
