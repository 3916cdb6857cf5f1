// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verdicts of comparisons, and errors on files that are no records.
#include "expect_refused.hpp"
#include "json_mutations.hpp"
#include "npy_files.hpp"
#include "screen.hpp"
#include <ado/bench/cli/options.hpp>
#include <ado/bench/commands/compare.hpp>
#include <ado/bench/commands/compare_command.hpp>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <random>
#include <sstream>

namespace ado::bench {
namespace {

using Json = nlohmann::json;

class Compare : public npy_files::NpyFixture {
protected:
  static Json record(const std::map<std::string, std::vector<double>>& milliseconds) {
    Json document{{"context",
                   {{"ado_version", "ado 1"},
                    {"date", "2026-01-31T12:00:00Z"},
                    {"host_name", "h"},
                    {"cpu", "c"},
                    {"device", "d"},
                    {"backend", "openmp"},
                    {"ado_commit", "0123"},
                    {"compiler", "GNU"},
                    {"compiler_flags", "-O3"},
                    {"kokkos_version", "4.6.1"}}},
                  {"benchmarks", Json::array()}};
    for (const auto& [name, times] : milliseconds)
      for (const double time : times)
        document["benchmarks"].push_back(
            {{"name", name}, {"real_time", time}, {"time_unit", "ms"}, {"verified", true}});
    return document;
  }
  std::string save(const std::string& name, const std::string& bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }
  std::string save(const std::string& name, const Json& document) const {
    return save(name, document.dump());
  }
  /// `n` times of about `scale` with this noise.
  static std::vector<double> noisy(double scale, double noise, unsigned seed, int n = 15) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal(0, noise);
    std::vector<double> times;
    for (int k = 0; k < n; ++k)
      times.push_back(scale * std::exp(normal(generator)));
    return times;
  }
  Comparison compared(const Json& a, const Json& b) {
    a_ = read_record(save("a.json", a));
    b_ = read_record(save("b.json", b));
    return compare(a_, b_, {});
  }
  Verdict verdict_on(const std::vector<double>& a, const std::vector<double>& b) {
    const Comparison comparison = compared(record({{"x", a}}), record({{"x", b}}));
    EXPECT_EQ(comparison.cases.size(), 1u);
    return comparison.cases.at(0).verdict;
  }
  void expect_no_record(const std::string& bytes, const std::string& fragment) const {
    expect_refused(fragment, [&] { read_record(save("bad.json", bytes)); });
  }
  int status(const std::string& a, const std::string& b, std::vector<std::string> options = {}) {
    options.insert(options.end(), {a, b});
    out_.str("");
    return compare_command(options, out_);
  }

  RunRecord a_, b_;
  std::ostringstream out_;
};

TEST_F(Compare, AFileAgainstItselfIsNeverSlowerNorFaster) {
  for (unsigned seed = 1; seed <= 50; ++seed)
    for (const double noise : {0.0, 0.001, 0.02, 0.5})
      for (const int n : {1, 2, 5, 30}) {
        const auto times = noisy(3, noise, seed, n);
        const Verdict v = verdict_on(times, times);
        EXPECT_TRUE(v == Verdict::same || v == Verdict::inconclusive) << noise << ", " << n;
      }
}

TEST_F(Compare, EightPercentMoreIsSlowerAndLessIsFaster) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const auto times = noisy(3, 0.01, seed);
    std::vector<double> more = times, less = times;
    for (double& time : more)
      time *= 1.08;
    for (double& time : less)
      time /= 1.08;
    EXPECT_EQ(verdict_on(times, more), Verdict::slower) << seed;
    EXPECT_EQ(verdict_on(times, less), Verdict::faster) << seed;
  }
}

TEST_F(Compare, NoiseAloneIsRarelyADifference) {
  int slower = 0, faster = 0;
  for (unsigned seed = 1; seed <= 300; ++seed) {
    const Verdict v = verdict_on(noisy(3, 0.1, seed), noisy(3, 0.1, seed + 1000));
    slower += v == Verdict::slower ? 1 : 0;
    faster += v == Verdict::faster ? 1 : 0;
  }
  EXPECT_LE(slower + faster, 15) << "5 % of 300";
}

/// Processes whose times are off by 1.5 %, in either direction, for no reason that shows within a
/// run.
class CompareProcesses : public Compare {
protected:
  Json process(double scale) {
    return record({{"x", noisy(scale * std::exp(0.015 * normal_(random_)), 0.002, seed_++)}});
  }
  std::vector<std::string> processes(const std::string& side, double scale) {
    std::vector<std::string> files;
    for (int k = 0; k < 8; ++k)
      files.push_back(save(side + std::to_string(k) + ".json", process(scale)));
    return files;
  }
  /// The verdict on 8 runs against 8 others whose times are `longer` times as long.
  Verdict verdict_on_several(double longer) {
    std::vector<RunRecord> a, b;
    for (const std::string& file : processes("a", 3))
      a.push_back(read_record(file));
    for (const std::string& file : processes("b", 3 * longer))
      b.push_back(read_record(file));
    a_ = merged(a), b_ = merged(b);
    return compare(a_, b_, {.several = true}).cases.at(0).verdict;
  }

private:
  std::mt19937 random_{22};
  std::normal_distribution<double> normal_;
  unsigned seed_ = 1;
};

TEST_F(CompareProcesses, TwoRunsOfOneProgramDifferForNoReason) {
  int wrong = 0, by_one_percent = 0;
  for (int k = 0; k < 200; ++k) {
    const Comparison one = compared(process(3), process(3));
    wrong += one.cases[0].verdict == Verdict::slower || one.cases[0].verdict == Verdict::faster;
    const Verdict strict = verdict_of(one.cases[0].estimate, least_effect);
    by_one_percent += strict == Verdict::slower || strict == Verdict::faster;
  }
  EXPECT_LE(wrong, 10) << "5 %";
  EXPECT_GT(by_one_percent, 100) << "the noise within a run says nothing of it";
}

TEST_F(CompareProcesses, SeveralRunsTellADifferenceFromChance) {
  int wrong = 0, found = 0;
  for (int k = 0; k < 400; ++k) {
    const Verdict v = verdict_on_several(1);
    wrong += v == Verdict::slower || v == Verdict::faster;
    found += verdict_on_several(1.06) == Verdict::slower;
  }
  EXPECT_LE(wrong, 10) << "1 % are 4, 5 % 20";
  EXPECT_GT(found, 380);
}

TEST_F(CompareProcesses, AreReadBehindWith) {
  std::vector<std::string> words = processes("a", 3), b = processes("b", 3.6);
  words.push_back("--with");
  words.insert(words.end(), b.begin(), b.end());
  words.insert(words.end(), {"--fail-on", "slower"});
  EXPECT_EQ(compare_command(words, out_), 4);
  EXPECT_NE(out_.str().find("\nB  " + b[0] + " and 7 more"), std::string::npos) << out_.str();
  EXPECT_NE(out_.str().find("99 % interval"), std::string::npos) << out_.str();
  EXPECT_NE(unwrapped(out_.str()).find("off by 1 % or more"), std::string::npos) << out_.str();
  words.insert(words.end(), {"--least", "30"});
  EXPECT_EQ(compare_command(words, out_), 0);
  EXPECT_NE(unwrapped(out_.str()).find("off by 30 % or more"), std::string::npos) << out_.str();
  for (const std::vector<std::string>& files : {std::vector<std::string>{words[0]},
                                                {words[0], words[1], words[2]},
                                                {words[0], words[1], words[2], words[3], words[4],
                                                 "--with", words[0], words[1], words[2], words[3]}})
    EXPECT_THROW(compare_command(files, out_), UsageError);
}

TEST_F(CompareProcesses, WhatOneRunOfASideLacksIsNotCompared) {
  const Json right = record({{"x", {1, 1}}, {"y", {1, 1}}});
  Json wrong = record({{"x", {1, 1}}, {"z", {1, 1}}});
  wrong["benchmarks"].push_back({{"name", "x"},
                                 {"error_occurred", true},
                                 {"verified", false},
                                 {"error_message", "WRONG: [3] is off"},
                                 {"time_unit", "none"}});
  const RunRecord all =
      merged({read_record(save("a.json", right)), read_record(save("b.json", wrong))});
  ASSERT_EQ(all.entries.size(), 3u);
  EXPECT_TRUE(all.entries[0].wrong);
  EXPECT_EQ(all.entries[0].failure, "failed: WRONG: [3] is off");
  EXPECT_EQ(all.entries[1].failure, "not in " + path("b.json"));
  EXPECT_EQ(all.entries[2].failure, "not in " + path("a.json"));
  for (const RecordedTimes& entry : all.entries)
    EXPECT_TRUE(entry.seconds.empty());
}

TEST_F(CompareProcesses, OfASideAreOfOneProgramOnOneMachine) {
  const Json a = record({{"x", {1, 1}}});
  for (const std::string key : {"cpu", "ado_commit", "kokkos_version"}) {
    Json b = a;
    b["context"][key] = "another";
    expect_refused(path("b.json") + ": its " + key + " is 'another', that of ", [&] {
      merged({read_record(save("a.json", a)), read_record(save("b.json", b))});
    });
  }
  Json cold = a;
  cold["benchmarks"][0]["cold_cache"] = true;
  expect_refused("its times of x hold cold caches", [&] {
    merged({read_record(save("a.json", a)), read_record(save("b.json", cold))});
  });
}

/// A machine whose clock drifts and which is slower by `moved`: both variants of a pair feel it
/// alike.
class CompareTwins : public Compare {
protected:
  Json twins(double longer, double moved = 1) {
    std::normal_distribution<double> normal(0, 0.002), step(0, 0.01);
    std::vector<double> portable, native;
    for (int turn = 0; turn < 20; ++turn) {
      moved *= std::exp(step(random_));
      portable.push_back(3 * longer * moved * std::exp(normal(random_)));
      native.push_back(3 * moved * std::exp(normal(random_)));
    }
    Json document = record({{"x/kokkos_team", portable}, {"x/openmp_team", native}});
    for (std::size_t k = 0; k < portable.size(); ++k)
      document["benchmarks"][k]["native"] = "openmp";
    return document;
  }
  std::mt19937 random_{5};
};

TEST_F(CompareTwins, WhatMovesTheMachineMovesNoVerdict) {
  for (int k = 0; k < 50; ++k) {
    const Comparison moved = compared(twins(1.1), twins(1.1, 1.3));
    ASSERT_EQ(moved.cases.size(), 2u);
    EXPECT_EQ(moved.cases[0].verdict, Verdict::same);
    EXPECT_EQ(moved.count(Verdict::same), 1u);
    EXPECT_EQ(moved.count(Verdict::slower), 0u) << "of what is judged";
    EXPECT_GT(moved.cases[1].estimate.value, 1.1);
    EXPECT_EQ(compared(twins(1.1), twins(1.21, 0.8)).cases[0].verdict, Verdict::slower);
    EXPECT_EQ(compared(twins(1.1), twins(1, 1.2)).cases[0].verdict, Verdict::faster);
  }
  EXPECT_EQ(status(save("a.json", twins(1)), save("b.json", twins(1, 2)), {"--fail-on", "slower"}),
            0);
  EXPECT_NE(out_.str().find("\n0 slower, 0 faster, 1 same, 0 inconclusive, 0 not compared\n"
                            "native, the reference, took "),
            std::string::npos)
      << out_.str();
  EXPECT_EQ(status(path("a.json"), save("b.json", twins(1.2, 0.5)), {"--fail-on", "slower"}), 4);
}

TEST_F(CompareTwins, OfSeveralRunsHaveTheirRatios) {
  std::vector<RunRecord> a, b;
  for (int k = 0; k < 6; ++k) {
    a.push_back(read_record(save("a.json", twins(1))));
    b.push_back(read_record(save("b.json", twins(1.03, 1 + 0.1 * k))));
  }
  a_ = merged(a), b_ = merged(b);
  const Comparison comparison = compare(a_, b_, {.several = true});
  EXPECT_EQ(comparison.cases.at(0).verdict, Verdict::slower);
  EXPECT_NEAR(comparison.cases.at(0).estimate.value, 1.03, 0.005);
  Json alone = twins(1.03); // no twin in the same run: compares times
  for (Json& entry : alone["benchmarks"])
    entry.erase("native");
  b.push_back(read_record(save("b.json", alone)));
  b_ = merged(b);
  EXPECT_GT(compare(a_, b_, {.several = true}).cases.at(0).estimate.value, 1.1);
}

TEST_F(Compare, NoiseThatHidesThreePercentIsInconclusiveAndLessThanOnePercentIsTheSame) {
  EXPECT_EQ(verdict_on(noisy(3, 0.3, 1), noisy(3.09, 0.3, 2)), Verdict::inconclusive);
  EXPECT_EQ(verdict_on(noisy(3, 0.001, 3), noisy(3.015, 0.001, 4)), Verdict::same);
  EXPECT_EQ(verdict_on({1, 1, 1}, {9, 9, 9}), Verdict::inconclusive) << "too few runs";
}

/// ctest would end a parser that looks at all siblings of each entry.
TEST_F(Compare, ALargeRecordIsRead) {
  const std::vector<double> times(400000, 1.0);
  EXPECT_EQ(read_record(save("a.json", record({{"x", times}}))).entries[0].seconds.size(),
            times.size());
}

TEST_F(Compare, WhatHasNoTimesInBothIsListed) {
  Json a = record({{"both", {1, 1, 1, 1}}, {"in a", {1}}, {"wrong in b", {1}}});
  Json b = record({{"both", {1, 1, 1, 1}}, {"in b", {1}}, {"wrong in b", {5}}});
  b["benchmarks"].push_back({{"name", "wrong in b"},
                             {"error_occurred", true},
                             {"verified", false},
                             {"error_message", "WRONG: \x1b[2Jnan"},
                             {"time_unit", "none"}});
  const Comparison comparison = compared(a, b);
  EXPECT_EQ(comparison.cases.size(), 1u);
  const std::vector<NotCompared> expected{{"in a", "only in A", true},
                                          {"wrong in b", "in B failed: WRONG: ?[2Jnan", true},
                                          {"in b", "only in B", true}};
  EXPECT_EQ(comparison.not_compared, expected);
}

TEST_F(Compare, WhatFailsInBothIsNoChange) {
  Json document = record({{"good", {1, 1, 1, 1}}});
  document["benchmarks"].push_back({{"name", "bad"},
                                    {"error_occurred", true},
                                    {"verified", false},
                                    {"error_message", "no i32"},
                                    {"time_unit", "none"}});
  const std::string file = save("a.json", document);
  EXPECT_EQ(status(file, file, {"--fail-on", "inconclusive"}), 0);
  EXPECT_NE(out_.str().find("\n  bad: in both failed: no i32\n"), std::string::npos) << out_.str();
}

/// One is wrong in both models, so nothing is left to compare.
TEST_F(Compare, AWrongResultFailsUnlessNothingShould) {
  Json right = record({{"x", {1, 1, 1, 1}}}), wrong = right;
  const Json failure{{"name", "y"},
                     {"error_occurred", true},
                     {"verified", false},
                     {"error_message", "WRONG: [3] is off"},
                     {"time_unit", "none"}};
  wrong["benchmarks"].push_back(failure);
  const std::string a = save("a.json", right), b = save("b.json", wrong);
  EXPECT_EQ(status(a, b), 1);
  EXPECT_NE(out_.str().find("\n1 result of B WRONG\n"), std::string::npos) << out_.str();
  EXPECT_EQ(status(a, b, {"--fail-on", "slower"}), 1);
  EXPECT_EQ(status(b, b, {"--fail-on", "slower"}), 1) << "in both";
  EXPECT_EQ(status(a, b, {"--fail-on", "none"}), 0);
  EXPECT_EQ(status(b, a), 0) << "it was mended";
  wrong["benchmarks"] = Json::array({failure});
  EXPECT_EQ(status(a, save("b.json", wrong)), 1) << "nothing else to compare";
  wrong = right;
  Json later = failure;
  later["name"] = "x"; // wrong in one row of several, and out of memory in another
  wrong["benchmarks"].push_back(later);
  later["error_message"] = "out of memory";
  wrong["benchmarks"].insert(wrong["benchmarks"].begin(), later);
  EXPECT_EQ(status(a, save("b.json", wrong)), 1);
  EXPECT_NE(out_.str().find("x: in B failed: WRONG: [3] is off"), std::string::npos) << out_.str();
  later["error_message"] = "out of memory";
  wrong["benchmarks"] = Json::array({right["benchmarks"][0], later});
  wrong["benchmarks"][1]["name"] = "z";
  EXPECT_EQ(status(a, save("b.json", wrong)), 0) << "what could not run is not wrong";
  EXPECT_THROW(status(a, b, {"--fail-on", "none,slower"}), UsageError);
}

TEST_F(Compare, TimesThatHoldDifferentThingsAreRefused) {
  const Json a = record({{"x", {1, 1, 1, 1}}});
  const std::pair<const char*, std::pair<Json, const char*>> conditions[] = {
      {"cold_cache", {true, "cold caches"}},
      {"kokkos_tool", {true, "a tool of Kokkos"}},
      {"streamed", {{{"slices", 3}}, "streamed"}}};
  for (const auto& [key, value] : conditions) {
    Json b = a;
    b["benchmarks"][0][key] = value.first;
    const std::string words = std::string("x: nothing special in A, ") + value.second + " in B";
    expect_refused(words, [&] { status(save("a.json", a), save("b.json", b)); });
    EXPECT_EQ(status(path("b.json"), path("b.json")), 0) << "alike in both";
    EXPECT_EQ(status(path("a.json"), path("b.json"), {"--ignore-conditions"}), 0);
    EXPECT_NE(out_.str().find("HOLD DIFFERENT THINGS: " + words), std::string::npos) << out_.str();
  }
}

TEST_F(Compare, WarningsOfBothRunsAreShown) {
  Json a = record({{"x", {1, 1, 1, 1}}}), b = a;
  b["context"]["warnings"] = {"the machine was not idle: load average 9.0 before the run"};
  status(save("a.json", a), save("b.json", b));
  EXPECT_NE(out_.str().find("\nB: the machine was not idle: load average 9.0"), std::string::npos)
      << out_.str();
  EXPECT_EQ(out_.str().find("\nA: "), std::string::npos) << out_.str();
}

TEST_F(Compare, MachinesAndBuildsThatDifferAreSaid) {
  const Json a = record({{"x", {1, 1, 1, 1}}});
  Json b = a;
  status(save("a.json", a), save("b.json", b));
  EXPECT_EQ(out_.str().find("differ: "), std::string::npos) << out_.str();
  b["context"]["device"] = "e";
  b["context"].erase("cpu");
  b["context"]["compiler_flags"] = "-O2";
  b["context"]["kokkos_version"] = "5.0.2";
  status(path("a.json"), save("b.json", b));
  for (const char* line : {"\nMACHINES differ: device is 'd' in A and 'e' in B\n",
                           "\nMACHINES differ: cpu is 'c' in A and 'unknown' in B\n",
                           "\nbuilds differ: compiler_flags is '-O3' in A and '-O2' in B\n",
                           "\nbuilds differ: kokkos_version is '4.6.1' in A and '5.0.2' in B\n"})
    EXPECT_NE(out_.str().find(line), std::string::npos) << line << out_.str();
}

TEST_F(Compare, TheExitStatusIsWhatFailOnAsksFor) {
  const std::vector<double> one(5, 1.0), two(5, 2.0);
  const std::string a = save("a.json", record({{"x", one}, {"y", one}}));
  const std::string slower = save("slower.json", record({{"x", one}, {"y", two}}));
  const std::string few = save("few.json", record({{"x", {1.0}}, {"y", one}}));
  const std::string missing = save("missing.json", record({{"x", one}}));
  const std::string both = save("both.json", record({{"x", {1.0}}, {"y", two}}));
  const std::vector<std::string> on_slower{"--fail-on", "slower"};
  const std::vector<std::string> on_inconclusive{"--fail-on=inconclusive"};
  const std::vector<std::string> on_either{"--fail-on", "slower,inconclusive"};
  EXPECT_EQ(status(a, slower), 0);
  EXPECT_EQ(status(a, slower, on_slower), 4);
  EXPECT_EQ(status(slower, a, on_slower), 0) << "faster";
  EXPECT_EQ(status(a, a, on_either), 0);
  EXPECT_EQ(status(a, slower, on_inconclusive), 0);
  EXPECT_EQ(status(a, few, on_inconclusive), 5);
  EXPECT_EQ(status(a, few, on_slower), 0);
  EXPECT_EQ(status(a, missing, on_inconclusive), 5);
  EXPECT_EQ(status(missing, a, on_inconclusive), 5);
  EXPECT_EQ(status(a, both, on_either), 4);
  EXPECT_EQ(status(a, both, on_inconclusive), 5);
}

/// Every verdict, with all its reasons.
TEST_F(Compare, TheJsonHasARowForEachCaseWithItsReason) {
  Json a = record({{"faster", noisy(1, 1e-4, 1)},
                   {"few", {1}},
                   {"less", noisy(1, 1e-4, 2)},
                   {"only", {1}},
                   {"same", noisy(1, 1e-4, 3)},
                   {"slower", noisy(1, 1e-4, 4)},
                   {"wide", noisy(1, 0.4, 5)}});
  Json b = record({{"faster", noisy(0.5, 1e-4, 6)},
                   {"few", {1}},
                   {"less", noisy(1.049, 8e-3, 7)},
                   {"same", noisy(1, 1e-4, 8)},
                   {"slower", noisy(1.25, 1e-4, 9)},
                   {"wide", noisy(1, 0.4, 10)}});
  b["context"]["date"] = "2026-02-01T12:00:00Z";
  ASSERT_EQ(status(save("a.json", a), save("b.json", b),
                   {"--json", path("c.json"), "--fail-on", "slower"}),
            4);
  const Json written = Json::parse(read_file(path("c.json")));
  EXPECT_EQ(written.at("a").at("file"), path("a.json"));
  EXPECT_EQ(written.at("b").at("date"), "2026-02-01T12:00:00Z");
  EXPECT_EQ(written.at("b").at("cpu"), "c");
  EXPECT_EQ(written.at("least"), 0.05);
  EXPECT_EQ(written.at("confidence"), 0.95);
  EXPECT_EQ(written.at("counts").at("inconclusive"), 3);
  EXPECT_EQ(written.at("counts").at("not compared"), 1);
  std::map<std::string, Json> rows;
  for (const Json& row : written.at("cases"))
    rows[row.at("case")] = row;
  ASSERT_EQ(rows.size(), 7u);
  const std::map<std::string, std::pair<std::string, std::string>> expected{
      {"faster", {"faster", "the interval leaves out 1, and B/A is 5 % below it or more"}},
      {"few", {"inconclusive", "too few runs for an interval"}},
      {"less", {"inconclusive", "the interval leaves out 1, and B/A is less than 5 % off"}},
      {"only", {"not compared", "only in A"}},
      {"same", {"same", "the whole interval is within 5 % of 1"}},
      {"slower", {"slower", "the interval leaves out 1, and B/A is 5 % above it or more"}},
      {"wide", {"inconclusive", "the interval holds 1, and B/A that are 5 % off or more"}}};
  for (const auto& [name, verdict_and_why] : expected) {
    EXPECT_EQ(rows.at(name).at("verdict"), verdict_and_why.first) << name;
    EXPECT_EQ(rows.at(name).at("why"), verdict_and_why.second) << name;
  }
  const Json& slower = rows.at("slower");
  EXPECT_NEAR(slower.at("a_median_seconds").get<double>(), 1e-3, 1e-6);
  EXPECT_NEAR(slower.at("b_median_seconds").get<double>(), 1.25e-3, 1e-6);
  EXPECT_NEAR(slower.at("ratio").get<double>(), 1.25, 1e-3);
  EXPECT_LT(slower.at("ratio_low"), slower.at("ratio"));
  EXPECT_GT(slower.at("ratio_high"), slower.at("ratio"));
  EXPECT_FALSE(rows.at("few").contains("ratio_low"));
  EXPECT_FALSE(rows.at("only").contains("ratio"));
}

TEST_F(Compare, TheMarkdownIsTheTableAndWhatStandsAroundIt) {
  const Json a = record({{"x|y", {1, 1, 1, 1, 1, 1, 1, 1}}, {"z", {1}}});
  Json b = record({{"x|y", {2, 2, 2, 2, 2, 2, 2, 2}}});
  b["context"]["cpu"] = "another";
  ASSERT_EQ(status(save("a.json", a), save("b.json", b), {"--markdown", path("c.md")}), 0);
  const std::string text = read_file(path("c.md"));
  for (const char* part :
       {"MACHINES differ: cpu is 'c' in A and 'another' in B\n",
        "| case | A ms | B ms | B/A | 95 % interval | verdict | why |\n"
        "|---|---:|---:|---:|---|---|---|\n"
        "| x\\|y | 1 | 2 | 2.0000 | 2.0000 to 2.0000 | slower | the interval leaves out 1, and B/A",
        "| z |  |  |  |  | not compared | only in A |\n",
        "\n1 slower, 0 faster, 0 same, 0 inconclusive, 1 not compared\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST_F(Compare, OneRecordMayGoToStdoutAndNoneOverwritesWhatIsRead) {
  const std::string a = save("a.json", record({{"x", {1, 1, 1, 1}}}));
  const std::string b = save("b.json", record({{"x", {1, 1, 1, 1}}}));
  testing::internal::CaptureStderr();
  EXPECT_EQ(status(a, b, {"--json", "-"}), 0);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("1 same"), std::string::npos);
  EXPECT_EQ(Json::parse(out_.str()).at("cases").size(), 1u);
  ado::bench::expect_refused(
      [&] {
        status(a, b, {"--json", "-", "--markdown", "-"});
      },
      {"--markdown -: --json already goes to stdout"});
  ado::bench::expect_refused([&] { status(a, b, {"--json", b}); }, {"is also the file of B"});
  ado::bench::expect_refused(
      [&] {
        status(a, b, {"--json", path("c"), "--markdown", path("c")});
      },
      {"is also the file of --json"});
  expect_refused("No such file", [&] { status(a, b, {"--json", path("none/c.json")}); });
  const std::string other = save("other.json", record({{"y", {1}}}));
  expect_refused("no case with times in common", [&] {
    status(a, other, {"--json", path("c.json")});
  });
  EXPECT_FALSE(std::filesystem::exists(path("c.json"))) << "a comparison that fails writes nothing";
}

TEST_F(Compare, CommandLinesThatAreWrongAreRefused) {
  const std::string a = save("a.json", record({{"x", {1}}}));
  const std::string other = save("other.json", record({{"y", {1}}}));
  EXPECT_THROW(compare_command({}, out_), UsageError);
  EXPECT_THROW(compare_command({a}, out_), UsageError);
  EXPECT_THROW(compare_command({a, a, a}, out_), UsageError);
  EXPECT_THROW(status(a, a, {"--fail-on", "faster"}), UsageError);
  EXPECT_THROW(status(a, a, {"--nonsense"}), UsageError);
  expect_refused("no case with times in common", [&] { status(a, other); });
  EXPECT_EQ(compare_command({"--help"}, out_), 0);
  EXPECT_NE(out_.str().find("--fail-on"), std::string::npos);
}

TEST_F(Compare, FilesThatAreNoRecordsAreRefused) {
  expect_refused("No such file", [&] { read_record(path("absent")); });
  expect_refused("is not a regular file", [&] { read_record(folder_.string()); });
  expect_no_record("", "is not JSON (byte 1)");
  expect_no_record("{\"context\": {}", "is not JSON (byte ");
  expect_no_record(std::string("\x93NUMPY\0\1", 8), "is not JSON (byte 1)");
  expect_no_record("{\"a\": \"\xff\"}", "is not JSON (byte ");
  expect_no_record("1e999", "is not JSON");
  for (const char* foreign : {"null", "7", "[]", "{}", "\"text\"", "{\"context\": 7}",
                              "{\"context\": {}, \"benchmarks\": []}"})
    expect_no_record(foreign, "context.ado_version is missing");
  for (const char* version : {"2", "\"1\"", "null", "true"})
    expect_no_record(R"({"context": {"ado_version": "ado 9", "record_version": )" +
                         std::string(version) + "}}",
                     std::string("its record_version is ") + version + ", this ado reads 1");
}

TEST_F(Compare, DeepAndLargeFilesAreRefused) {
  expect_no_record(std::string(1'000'000, '['), "is nested deeper than 32 levels");
  std::string deep = "{\"context\": ";
  for (int k = 0; k < 1'000'000; ++k)
    deep += "{\"a\":";
  expect_no_record(deep, "is nested deeper than 32 levels");
  std::filesystem::resize_file(save("large.json", std::string("{}")), std::uintmax_t{300} << 20);
  expect_refused("is larger than 256 MiB", [&] { read_record(path("large.json")); });
}

/// Each field of a record in turn is missing or has a wrong type.
TEST_F(Compare, WrongFieldsAreNamed) {
  const Json good = record({{"x", {1, 2, 3}}});
  const auto expect_bad = [&](const char* pointer, const Json& value, const std::string& fragment) {
    Json bad = good;
    bad[Json::json_pointer(pointer)] = value;
    SCOPED_TRACE(bad.dump());
    expect_no_record(bad.dump(), fragment);
  };
  for (const Json& value : {Json(), Json(7), Json(Json::array()), Json(Json::object())}) {
    expect_bad("/context/date", value, "context.date is missing or not a text");
    expect_bad("/context/device", value, "context.device is missing or not a text");
    expect_bad("/benchmarks/1/name", value, "benchmarks[1].name is missing or not a text");
    expect_bad("/benchmarks/1/time_unit", value, "benchmarks[1].time_unit is missing");
  }
  for (const Json& value : {Json(), Json("7"), Json(Json::array()), Json(true)})
    expect_bad("/benchmarks/2/real_time", value, "benchmarks[2].real_time is missing");
  for (const Json& value : {Json(0), Json(-1.5), Json(1e-323)})
    expect_bad("/benchmarks/2/real_time", value, "benchmarks[2].real_time is not above 0");
  for (const Json& value : {Json(), Json(7), Json("text"), Json(Json::object())})
    expect_bad("/benchmarks", value, "benchmarks is missing or not an array");
  expect_bad("/benchmarks/0", 7, "benchmarks[0] is not an object");
  expect_bad("/benchmarks/0/time_unit", "years", "time_unit is none of s, ms, us and ns");
  expect_bad("/benchmarks/0/error_occurred", true, "benchmarks[0].error_message is missing");
  Json bad = good;
  bad["benchmarks"][1].erase("real_time");
  expect_no_record(bad.dump(), "benchmarks[1].real_time is missing");
}

/// Any byte of a record changed: the reader returns a record or throws InputError, but never
/// crashes.
TEST_F(Compare, AnyByteMayBeAnother) {
  const std::string good = record({{"x", {1, 2, 3}}}).dump();
  std::mt19937 generator(7);
  for (std::size_t k = 0; k < good.size(); ++k) {
    std::string bad = good;
    bad[k] = static_cast<char>(generator());
    try {
      read_record(save("bad.json", bad));
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).rfind(path("bad.json"), 0), 0u) << error.what();
    }
    EXPECT_THROW(read_record(save("bad.json", good.substr(0, k))), InputError);
  }
}

TEST_F(Compare, AllUnitsOfTimeAreUnderstood) {
  Json document = record({{"x", {1, 1, 1, 1}}});
  const char* units[] = {"s", "ms", "us", "ns"};
  for (std::size_t k = 0; k < 4; ++k)
    document["benchmarks"][k]["time_unit"] = units[k];
  const RunRecord read = read_record(save("a.json", document));
  ASSERT_EQ(read.entries.size(), 1u);
  EXPECT_EQ(read.entries[0].seconds, (std::vector<double>{1, 1e-3, 1e-6, 1e-9}));
}

/// If any field of a record is changed, the record is refused or compares as before.
/// tests/python/record_meaning_test.py demands the same of the Python readers.
TEST_F(Compare, EachLieIsRefusedOrHarmless) {
  std::ifstream file(ADO_SOURCE_DIR "/tests/data/record.json");
  const Json good = Json::parse(file);
  const auto outcome = [&](const Json& document) {
    const std::string name = save("r.json", document);
    const int exit = status(name, name);
    // the first lines identify the run: machine, build and date
    const std::string out = out_.str();
    return std::to_string(exit) + out.substr(out.find("\n\n"));
  };
  const std::string expected = outcome(good);
  EXPECT_EQ(expected.rfind("1", 0), 0u) << "one result is wrong";
  std::size_t mutations = 0, refused = 0;
  for (const Mutation& mutation : mutations_of(good["benchmarks"])) {
    SCOPED_TRACE(mutation.path + ": " + mutation.what);
    ++mutations;
    Json lie = good;
    lie["benchmarks"] = mutation.document;
    try {
      const std::string found = outcome(lie);
      // Fewer rows, or one twice, may come from another run; a failure's text is free.
      if (std::count(mutation.path.begin(), mutation.path.end(), '/') < 2) {
        EXPECT_TRUE(lie["benchmarks"].is_array());
      } else if (!mutation.path.ends_with("/error_message")) {
        EXPECT_EQ(found, expected) << "is believed";
      }
    } catch (const InputError& error) {
      ++refused;
      EXPECT_EQ(std::string(error.what()).rfind(path("r.json") + ": ", 0), 0u) << error.what();
    }
  }
  std::cout << mutations << " mutations, " << refused << " refused\n";
  EXPECT_GT(mutations, 3000u);
}

TEST_F(Compare, WhatContradictsItselfIsNamedWithTheCure) {
  const Json good = record({{"x", {1, 2, 3}}});
  const auto expect_bad = [&](const char* field, const Json& value, const std::string& said) {
    Json bad = good;
    bad["benchmarks"][0][field] = value;
    expect_no_record(bad.dump(), "benchmarks[0]." + said + "; name a file that --json wrote");
  };
  for (const Json& value : {Json(), Json("false"), Json(0)})
    expect_bad("verified", value, "verified is missing, or neither true nor false");
  expect_bad("verified", false, "verified is not alike in all repetitions");
  expect_bad("reason", "not verified", "reason is there and it is verified, or neither is");
  expect_bad("repetitions", 2, "repetitions is not how many there are");
  expect_bad("median_seconds", 1e-3, "median_seconds is not that of the times");
  expect_bad("share_of_error_bound", 1.5,
             "share_of_error_bound is above 1, and the result is verified");
  expect_bad("error_message", "no memory", "error_message is there, and no error_occurred");
  Json bad = good;
  bad["benchmarks"][0].erase("verified");
  expect_no_record(bad.dump(), "benchmarks[0].verified is missing");
}

} // namespace
} // namespace ado::bench
