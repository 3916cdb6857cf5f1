// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// miniapp compare as a program: exit status, messages, and that it needs no device.
#include "program.hpp"

#include <nlohmann/json.hpp>

namespace ado::bench {
namespace {

using Json = nlohmann::json;

// With this, Kokkos would end the program at start.
const Surroundings no_kokkos{.environment = {"KOKKOS_NUM_THREADS=none"}};

class MiniappCompare : public ProgramTest {
protected:
  std::string save(const std::string& name, const Json& document) const {
    std::ofstream(path(name)) << document.dump();
    return path(name);
  }
};

/// A run against itself with all times scaled.
TEST_F(MiniappCompare, ARunAgainstItselfAndScaledCopies) {
  const Outcome run = miniapp("--algorithm yax,transpose --variant team --rows 41 --cols 67 "
                              "--reps 12 --json " +
                              path("a.json"));
  if (run.status == 3) GTEST_SKIP() << run.err;
  ASSERT_EQ(run.status, 0) << run;
  Json document = Json::parse(contents(path("a.json")));
  // A busy machine's times scatter too far for 8 %, so they are pulled towards their median.
  for (Json& entry : document["benchmarks"]) {
    entry["real_time"] = 1 + 1e-5 * entry["repetition_index"].get<int>();
    for (const char* of_times : {"median_seconds", "bytes_per_second"})
      entry.erase(of_times);
  }
  const std::string a = save("calm.json", document);
  const auto scaled = [&](const std::string& model) { // empty: all
    Json longer = document;
    for (Json& entry : longer["benchmarks"])
      if (model.empty() || entry["model"] == model)
        entry["real_time"] = entry["real_time"].get<double>() * 1.08;
    return longer;
  };
  const std::string slower = save("slower.json", scaled("kokkos"));

  const Outcome same = miniapp("compare " + a + " " + a + " --fail-on slower", no_kokkos);
  EXPECT_EQ(same.status, 0) << same;
  EXPECT_NE(same.out.find("\n0 slower, 0 faster, 2 same, 0 inconclusive, 0 not compared\n"),
            std::string::npos)
      << same;
  EXPECT_EQ(
      miniapp("compare " + path("a.json") + " " + path("a.json") + " --fail-on slower").status, 0);
  const Outcome worse = miniapp("compare --fail-on slower " + a + " " + slower, no_kokkos);
  EXPECT_EQ(worse.status, 4) << worse;
  EXPECT_EQ(worse.err, "");
  EXPECT_NE(worse.out.find("\n2 slower, 0 faster"), std::string::npos) << worse;
  EXPECT_NE(worse.out.find(" 1.0800 "), std::string::npos) << worse;
  EXPECT_EQ(miniapp("compare " + a + " " + slower, no_kokkos).status, 0);
  const Outcome moved =
      miniapp("compare --fail-on slower " + a + " " + save("moved.json", scaled("")));
  EXPECT_EQ(moved.status, 0) << moved;
  EXPECT_NE(moved.out.find("\nnative, the reference, took 1.080 times as long in B"),
            std::string::npos)
      << moved;
  document["benchmarks"].erase(0);
  const Outcome fewer = miniapp("compare " + a + " " + save("fewer.json", document));
  EXPECT_EQ(fewer.status, 2) << "one repetition less than it says\n" << fewer;
  document["benchmarks"].erase(document["benchmarks"].begin(), document["benchmarks"].begin() + 11);
  const Outcome few =
      miniapp("compare " + a + " " + save("few.json", document) + " --fail-on inconclusive");
  EXPECT_EQ(few.status, 5) << few;
}

TEST_F(MiniappCompare, WhatIsNoRecordIsRefusedByName) {
  const std::string foreign = save("foreign.json", {{"benchmarks", Json::array()}});
  expect_refused("compare " + foreign + " " + foreign,
                 {path("foreign.json"), "context.ado_version is missing"});
  expect_refused("compare " + path("absent") + " " + foreign, {path("absent"), "No such file"});
  expect_refused("compare " + foreign, {"1 file; there are two", "compare A... --with B..."});
  expect_refused("compare a b --fail-on sloth",
                 {"--fail-on", "'sloth'", "wrong, slower, inconclusive, none"});
}

TEST_F(MiniappCompare, HelpNeedsNoFiles) {
  const Outcome help = miniapp("compare --help", no_kokkos);
  EXPECT_EQ(help.status, 0) << help;
  for (const char* part : {"--fail-on", "Exit status"})
    EXPECT_NE(help.out.find(part), std::string::npos) << help;
  EXPECT_NE(miniapp("--help").out.find("miniapp compare"), std::string::npos);
}

} // namespace
} // namespace ado::bench
