// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs in several processes (--processes), and two programs in turn (compare --run).
#include "program.hpp"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <sstream>

namespace ado::bench {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const std::string tiny_yax = "--algorithm yax --rows 41 --cols 67 --reps 3 ";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

class MiniappProcesses : public MiniappRun {
protected:
  void SetUp() override {
    MiniappRun::SetUp();
    fs::create_directory(path("tmp"));
  }
  void TearDown() override {
    if (fs::exists(path("tmp"))) {
      EXPECT_TRUE(fs::is_empty(path("tmp"))) << "files are left";
    }
    MiniappRun::TearDown();
  }
  Surroundings here() const { return {.environment = {"TMPDIR=" + path("tmp")}}; }

  std::string script(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << "#!/bin/sh\n" << text;
    fs::permissions(path(name), fs::perms::owner_all);
    return path(name);
  }
  /// The mini-app under another name, with a program for other processes.
  std::string copy_with_place(const std::string& text) const {
    fs::copy_file(ADO_MINIAPP, path("copy"));
    fs::create_directory(path("copy_places"));
    script("copy_places/1", text);
    return path("copy");
  }
};

TEST_F(MiniappProcesses, TheRatioOfEachIsOneSample) {
  const Outcome run = miniapp(
      tiny_yax + "--variant team --model kokkos,openmp --processes 6 --json " + path("r"), here());
  ASSERT_EQ(run.status, 0) << run;
  const Json entries = Json::parse(contents(path("r"))).at("benchmarks");
  const Json& first = entries.at(0);
  const auto ratios = first.at("processes").get<std::vector<double>>();
  ASSERT_EQ(ratios.size(), 6u);
  EXPECT_LE(first.at("portable_over_native_low"), *std::min_element(ratios.begin(), ratios.end()));
  EXPECT_GE(first.at("portable_over_native_high"), *std::max_element(ratios.begin(), ratios.end()));
  EXPECT_EQ(first.at("repetitions"), 18) << "those of all processes";
  EXPECT_EQ(entries.size(), 36u);
  EXPECT_TRUE(contains(run.out, "\n6 processes, of ")) << run;
  EXPECT_FALSE(contains(run.out, "in one process")) << run;
  EXPECT_EQ(miniapp("compare " + path("r") + " " + path("r")).status, 0) << "a record like others";
}

TEST_F(MiniappProcesses, EachRowGetsItsOwn) {
  const Outcome run =
      miniapp("--algorithm yax --variant team --sweep rows=41,82 --cols 67 --reps 3 --processes 6 "
              "--json " +
                  path("r"),
              here());
  ASSERT_EQ(run.status, 0) << run;
  int rows = 0;
  const Json record = Json::parse(contents(path("r")));
  for (const Json& entry : record.at("benchmarks"))
    if (entry.contains("processes")) {
      EXPECT_EQ(entry.at("processes").size(), 6u) << entry;
      ++rows;
    }
  EXPECT_EQ(rows, 2);
}

/// OpenMP binds the first thread before main() begins, and children would inherit that.
TEST_F(MiniappProcesses, EachHasAllCpus) {
  const std::string cpus = "grep Cpus_allowed_list /proc/self/status";
  const std::string program =
      copy_with_place(cpus + " >> " + path("cpus") + "\nexec " + path("copy") + " \"$@\"\n");
  Surroundings bound = here();
  bound.environment.insert(bound.environment.end(), {"OMP_PROC_BIND=true", "OMP_PLACES=cores"});
  const Outcome run = run_program(program, words(tiny_yax + "--variant team --processes 6"), bound);
  EXPECT_EQ(run.status, 0) << run;
  const std::string here_are = run_program("/bin/sh", {"-c", cpus}).out;
  EXPECT_EQ(contents(path("cpus")), here_are + here_are + here_are);
}

TEST_F(MiniappProcesses, OneProcessSaysThatOthersMayDiffer) {
  const Outcome run = miniapp(tiny_yax + "--variant team");
  EXPECT_TRUE(contains(run.out, "short runs, in one process")) << run;
  EXPECT_EQ(miniapp(tiny_yax + "--variant team --processes 1").status, 0);
}

TEST_F(MiniappProcesses, WhatIsWrongInOneOfThemIsWrong) {
  const Outcome run = run_program(
      ADO_BROKEN_MINIAPP,
      words(tiny_yax + "--backend " + host_backend() + " --variant one_process --processes 6"),
      here());
  EXPECT_EQ(run.status, 1) << run;
  EXPECT_TRUE(contains(run.out, ", in process 4")) << run;
}

TEST_F(MiniappProcesses, FewerThanSixAreRefused) {
  expect_refused("--processes 5", {"--processes 5", "6"});
  expect_refused("--processes 0", {"--processes 0", "must be from 1"});
}

TEST_F(MiniappProcesses, ProgramsAtOtherPlacesTakeTurns) {
  const std::string program =
      copy_with_place("echo once >> " + path("calls") + "\nexec " + path("copy") + " \"$@\"\n");
  const Words line = words(tiny_yax + "--variant team --processes 6");
  const Outcome run = run_program(program, line, here());
  EXPECT_EQ(run.status, 0) << run;
  EXPECT_TRUE(contains(run.out, "6 processes, of programs linked at 2 places")) << run;
  EXPECT_EQ(contents(path("calls")), "once\nonce\nonce\n") << "each other one of six";
  fs::last_write_time(path("copy_places/1"), fs::file_time_type::min());
  const Outcome old = run_program(program, line, here());
  EXPECT_EQ(old.status, 0) << old;
  EXPECT_TRUE(contains(old.err, "copy_places are older")) << old;
  EXPECT_TRUE(contains(old.out, "6 processes, of one program")) << old;
}

TEST_F(MiniappProcesses, OneThatMeasuresNothingIsQuoted) {
  const Outcome run = run_program(copy_with_place("echo first; echo out of luck; exit 9\n"),
                                  words(tiny_yax + "--variant team --processes 6"), here());
  EXPECT_EQ(run.status, 3) << run;
  EXPECT_TRUE(contains(run.err, "process 2 ended with status 9")) << run;
  EXPECT_TRUE(contains(run.err, ": out of luck\n")) << run;
}

/// Programs that note how they were called and write a record that lies ready.
class CompareRun : public MiniappProcesses {
protected:
  /// One whose portable times are `factor` times as long.
  std::string program(const std::string& name, double factor) const {
    Json document = record();
    for (Json& entry : document["benchmarks"]) {
      const double scale = entry["model"] == "kokkos" ? factor : 1;
      entry["real_time"] = scale * (1 + 1e-5 * entry["repetition_index"].get<int>());
      for (const char* of_times : {"median_seconds", "bytes_per_second"})
        entry.erase(of_times);
    }
    std::ofstream(path(name + ".json")) << document.dump();
    return script(name, "echo $(basename $0) $1 $2 >> " + path("calls") +
                            "\nwhile [ $1 != --json ]; do shift; done\ncp " + path(name + ".json") +
                            " $2\n");
  }
  Outcome compare(const std::string& a, const std::string& b, const std::string& more) const {
    return miniapp("compare --run " + a + " " + b + " " + more, here());
  }

private:
  Json record() const {
    const Outcome run = miniapp(tiny_yax + "--variant team --json " + path("real.json"));
    EXPECT_EQ(run.status, 0) << run;
    return Json::parse(contents(path("real.json")));
  }
};

TEST_F(CompareRun, BothRunInTurnWithTheSameOptions) {
  const Outcome run = compare(program("a", 1), program("b", 1.03),
                              "--algorithm x --rounds 5 -n 5 --fail-on slower");
  EXPECT_EQ(run.status, 4) << run;
  EXPECT_TRUE(contains(run.out, "\n1 slower, 0 faster, 0 same")) << run;
  EXPECT_TRUE(contains(run.out, " 1.0300 ")) << run;
  EXPECT_FALSE(contains(run.out, "A with itself")) << "three runs and two are too few\n" << run;
  std::string calls;
  for (const char side : {'a', 'b', 'b', 'a', 'a', 'b', 'b', 'a', 'a', 'b'})
    calls += std::string(1, side) + " --algorithm x\n";
  EXPECT_EQ(contents(path("calls")), calls);
}

TEST_F(CompareRun, TheFirstIsComparedWithItself) {
  const Outcome run = compare(program("a", 1), program("b", 1), "--fail-on slower,inconclusive");
  EXPECT_EQ(run.status, 0) << run;
  EXPECT_TRUE(contains(run.out, "\n0 slower, 0 faster, 1 same, 0 inconclusive")) << run;
  EXPECT_TRUE(contains(run.out, "between: 0 slower, 0 faster, 1 same, 0 inconclusive")) << run;
  const std::string calls = contents(path("calls"));
  EXPECT_EQ(std::count(calls.begin(), calls.end(), '\n'), 32);
  const Outcome ten = compare(program("a", 1), program("b", 1), "--rounds 10");
  EXPECT_TRUE(contains(ten.out, "A with itself")) << ten;
  const Outcome nine = compare(program("a", 1), program("b", 1), "--rounds 9");
  EXPECT_FALSE(contains(nine.out, "A with itself")) << "four runs and five are too few\n" << nine;
}

TEST_F(CompareRun, PlacesOfEachTakeTurns) {
  const std::string a = program("a", 1), b = program("b", 1);
  fs::create_directory(path("b_places"));
  for (const char* place : {"1", "2"})
    fs::copy_file(b, path("b_places/" + std::string(place)));
  EXPECT_EQ(compare(a, b, "--rounds 5 --x y").status, 0);
  EXPECT_EQ(contents(path("calls")), "a --x y\nb --x y\n1 --x y\na --x y\na --x y\n2 --x y\n"
                                     "b --x y\na --x y\na --x y\n1 --x y\n");
}

TEST_F(CompareRun, WhatCannotRunIsRefusedByName) {
  const std::string a = program("a", 1);
  const std::string run = "compare --run " + a + " ";
  expect_refused(run + path("absent"), {path("absent") + ": is no program", "No such file"});
  expect_refused(run + path("tmp"), {path("tmp") + ": is no program"});
  expect_refused(run + script("mute", "echo 1; echo what a pity; exit 3\n") + " --rounds 5",
                 {path("mute") + ": ended with status 3", "what a pity"});
  expect_refused(run + a + " --rounds 4", {"--rounds 4", "from 5"});
  expect_refused("compare --rounds 4 x y", {"--rounds", "--run"});
  expect_refused(run + a + " --json /nowhere/c.json", {"/nowhere"});
}

TEST_F(CompareRun, CtrlCEndsTheProgramThatRunsToo) {
  const std::string sleeper =
      script("sleeper", "trap 'echo ended > " + path("trap") + "; exit 1' INT\necho > " +
                            path("begun") + "\nwhile :; do sleep 0.05; done\n");
  Surroundings surroundings = here();
  surroundings.meanwhile = [&](pid_t program) {
    while (!fs::exists(path("begun")))
      usleep(10000);
    kill(program, SIGINT);
  };
  const Outcome run = miniapp("compare --run " + sleeper + " " + sleeper, surroundings);
  EXPECT_EQ(run.status, 128 + SIGINT) << run;
  EXPECT_EQ(contents(path("trap")), "ended\n");
}

} // namespace
} // namespace ado::bench
