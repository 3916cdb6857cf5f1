// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain: every word of the tables, the record and the limiters has an explanation.
#include "csv_reader.hpp"
#include "described_device.hpp"
#include "screen.hpp"
#include <ado/bench/cli/option_values.hpp>
#include <ado/bench/cli/options.hpp>
#include <ado/bench/cli/terms.hpp>
#include <ado/bench/commands/compare_report.hpp>
#include <ado/bench/commands/explain.hpp>
#include <ado/bench/measure/limiter.hpp>
#include <ado/bench/records/csv.hpp>
#include <ado/bench/records/json.hpp>
#include <ado/bench/report/fields.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace ado::bench {
namespace {

/// What explain prints, or the message of its refusal.
std::string said_of(const std::string& word) {
  std::ostringstream out;
  try {
    explain_command({word}, out);
  } catch (const UsageError& error) {
    return error.what();
  }
  return out.str();
}

/// Whether this word, or one of this kind that begins so, has a real explanation.
bool is_explained(const std::string& word, const std::string& kind) {
  const auto all = explanations();
  return std::any_of(all.begin(), all.end(), [&](const Explanation& one) {
    return one.word == word && one.kind.starts_with(kind) && one.text.size() >= 5;
  });
}

/// A column title as one says it.
std::string as_said(std::string title) {
  std::replace(title.begin(), title.end(), '\n', ' ');
  return title.substr(title.find_first_not_of(' '));
}

TEST(Explain, EveryColumnOfTheTableWithAndWithoutAReference) {
  DescribedDevice gpu(1, 1 << 20, std::size_t{1} << 30);
  gpu.on_host = false;
  Results results;
  results.device = &gpu;
  for (const char* reference : {"", "openmp/team"}) {
    results.reference = reference;
    for (const Field<Side>* column : columns_of(results)) {
      const std::string title = as_said(column->shown->title);
      EXPECT_TRUE(is_explained(title, "column of the table")) << title;
      EXPECT_NE(said_of("table").find("    " + word_of(*column->shown) + " "), std::string::npos)
          << title;
    }
  }
}

TEST(Explain, EveryColumnOfStagesAndEveryStage) {
  for (const TextTable::Column& column : columns_of(stage_fields()))
    EXPECT_TRUE(is_explained(as_said(column.title), "column of --stages")) << column.title;
  for (const std::string_view stage : stage_names)
    EXPECT_TRUE(is_explained(std::string(stage), "column of --stages")) << stage;
}

TEST(Explain, EveryColumnOfLaunchesAndOfCompare) {
  for (const TextTable::Column& column : columns_of(launch_fields()))
    EXPECT_TRUE(is_explained(as_said(column.title), "column of --launches")) << column.title;
  for (const TextTable::Column& column : compare_columns())
    EXPECT_TRUE(is_explained(column.title, "column of compare")) << column.title;
}

TEST(Explain, EveryFieldOfTheCsv) {
  DescribedDevice device(1, 1 << 20, std::size_t{1} << 30);
  Results results;
  results.device = &device;
  const auto lines = read_csv(csv_text(results, run_facts(device, {"miniapp"})));
  ASSERT_GT(lines.at(0).size(), 30u);
  for (const std::string& title : lines[0])
    EXPECT_TRUE(is_explained(title, "field of --csv")) << title;
}

/// Checks an object and the objects in it.
void expect_explained(const nlohmann::json& object, const std::set<std::string>& known) {
  for (const auto& [name, value] : object.items()) {
    if (known.contains(name)) continue;
    if (name == "sizes" || name == "ceilings" || name == "stages" || name == "streamed")
      expect_explained(value, known);
    else
      EXPECT_TRUE(is_explained(name, "field of")) << name;
  }
}

TEST(Explain, EveryFieldOfTheJson) {
  DescribedDevice gpu(1, 1 << 20, std::size_t{1} << 30);
  gpu.on_host = false;
  Results results;
  results.device = &gpu;
  results.rows.push_back({.problem = {&algorithms().front(), {3, 5, 7}, Type::f32}, .name = "x"});
  RowResult& row = results.rows[0];
  row.portable.variant = row.native.variant = &variants().front();
  row.portable.seconds = row.portable.host_seconds = row.native.seconds = row.native.host_seconds =
      std::vector<double>(9, 1.0);
  row.portable.stages.spans = {{Stage::compute, 0, 0, 1}};
  row.streamed = StreamFacts{};
  const auto document = nlohmann::json::parse(json_text(results, run_facts(gpu, {"miniapp"})));
  expect_explained(document.at("context"), {});
  // Google Benchmark's own
  expect_explained(document.at("benchmarks").at(0),
                   {"name", "run_name", "run_type", "threads", "repetitions", "repetition_index",
                    "iterations", "real_time", "cpu_time", "time_unit"});
}

TEST(Explain, EveryWordOfTheLimiterRule) {
  std::size_t words = 0;
  for (double compute = 0; compute <= 100; compute += 5)
    for (double memory = 0; memory <= 100; memory += 5)
      for (const double waves : {0.5, 2.0}) {
        std::string text(limiter_by_rule(compute, memory, waves));
        for (std::size_t comma; !text.empty(); text.erase(0, comma)) {
          comma = std::min(text.find(", "), text.size());
          EXPECT_TRUE(is_explained(text.substr(0, comma), "limiter")) << text;
          if (comma < text.size()) comma += 2;
          ++words;
        }
      }
  EXPECT_GT(words, 882u); // some words have two
}

TEST(Explain, EveryVariantWithItsCard) {
  for (const Variant& v : variants()) {
    const std::string said = said_of(std::string(v.name));
    EXPECT_NE(unwrapped(said).find(v.summary), std::string::npos) << v.file;
    EXPECT_NE(said.find("variant of " + std::string(v.algorithm)), std::string::npos) << v.file;
    const std::string text = said_of(std::string(v.algorithm));
    EXPECT_NE(text.find("(algorithm)"), std::string::npos) << v.algorithm;
  }
  EXPECT_NE(said_of("tiled_padded").find("teaches   "), std::string::npos);
  EXPECT_NE(said_of("block_per_set").find("mapping   "), std::string::npos);
  EXPECT_EQ(said_of("openmp/team"), said_of("team")) << "as the table names it";
}

/// A single process has none of these variants, and a build without GPUs not all.
TEST(Explain, VariantsOnRanks) {
  for (const char* word : {"slabs", "remote_stores", "staged", "datatypes", "pieces", "packed"})
    EXPECT_NE(said_of(word).find("variant of transpose on ranks"), std::string::npos) << word;
  EXPECT_NE(said_of("allreduce").find("variant of yax on ranks, kokkos"), std::string::npos);
  EXPECT_NE(said_of("team").find("variant of yax on ranks, openmp"), std::string::npos);
  EXPECT_NE(said_of("rows").find("variant of average_mv on ranks"), std::string::npos);
}

TEST(Explain, VerdictsAndExitStatuses) {
  for (const char* word : {"slower", "faster", "same", "inconclusive", "verified", "WRONG"})
    EXPECT_NE(said_of(word).find("(verdict on a r"), std::string::npos) << word;
  for (const char* digit : {"0", "1", "2", "3", "4", "5", "6"})
    EXPECT_NE(said_of(std::string("exit status ") + digit).find("(exit status)"), std::string::npos)
        << digit;
}

TEST(Explain, TermsOfTheFieldInAnyForm) {
  for (const char* word :
       {"exit status",    "noise",   "ratio",     "ceilings",  "occupancy", "roofline",
        "bank conflicts", "native",  "portable",  "twins",     "ladder",    "rungs",
        "interval",       "median",  "quartiles", "coalesced", "sectors",   "warp",
        "team",           "league",  "backend",   "model",     "oracle",    "error bound",
        "error-bound",    "Ratios",  "launches",  "accesses",  "registers", "of_ceiling",
        "line",           "stalled", "excessive", "slab",      "rank"})
    EXPECT_EQ(said_of(word).find("explain: no word"), std::string::npos) << said_of(word);
  EXPECT_EQ(said_of("bank conflicts"), said_of("Bank-Conflict"));
  EXPECT_NE(said_of("exit status").find("\n    4  slower: compare --fail-on slower"),
            std::string::npos)
      << said_of("exit status");
  EXPECT_NE(said_of("noise").find("more: docs/numbers.md#"), std::string::npos) << said_of("noise");
}

TEST(Explain, TheSetsOfSizes) {
  const std::string said = said_of("sizes");
  EXPECT_EQ(said_of("default sizes").find("default sizes (term)"), 0u);
  for (const SizeSet& set : size_sets) {
    EXPECT_NE(said.find(std::string(set.meaning)), std::string::npos) << said;
    EXPECT_NE(said_of(std::string(set.name)).find("set of --sizes"), std::string::npos);
  }
}

TEST(Explain, TermsAreShortAndNoneStandsTwice) {
  std::set<std::string> words;
  for (const Term& term : terms()) {
    EXPECT_EQ(term.text.find('\n'), std::string::npos) << term.text;
    EXPECT_LE(term.text.size(), 270u) << term.text;
    for (const std::string_view word : term.words)
      EXPECT_TRUE(words.emplace(word).second) << word;
  }
}

/// What a variant does, moves and teaches, from its source file.
TEST(Explain, EveryVariantHasItsCard) {
  std::size_t variants = 0;
  for (const Explanation& one : explanations()) {
    if (!one.kind.starts_with("variant of ")) continue;
    ++variants;
    for (const char* line : {"\n  mapping   ", "\n  bytes     ", "\n  teaches   "})
      EXPECT_NE(one.text.find(line), std::string::npos) << one.word << ", " << one.kind << line;
  }
  EXPECT_GT(variants, 40u);
}

TEST(Explain, AnUnknownWordIsRefusedWithWhatIsNearIt) {
  EXPECT_EQ(said_of("latencie"),
            "explain: no word 'latencie', and near it: latency; miniapp explain lists all");
  EXPECT_EQ(nearest("padded", explained_words()), std::vector<std::string>{"tiled_padded"});
  EXPECT_EQ(nearest("conflict", explained_words()),
            (std::vector<std::string>{"bank conflict", "predicted_bank_conflict_ways"}));
  EXPECT_EQ(nearest("nosie", explained_words()), std::vector<std::string>{"noise"});
  EXPECT_EQ(nearest("occu", explained_words()), std::vector<std::string>{"occupancy"});
  EXPECT_EQ(nearest("latencx", {"latency", "latencxar"}),
            (std::vector<std::string>{"latencxar", "latency"}))
      << "a beginning is nearer than a slip";
  EXPECT_EQ(said_of("bicycle"),
            "explain: no word 'bicycle', and none is near it; miniapp explain lists all");
  EXPECT_LE(nearest("seconds", explained_words()).size(), 5u);
}

TEST(Explain, AnOptionIsNoWord) {
  EXPECT_EQ(said_of("--hlep").rfind("explain: takes a word and no option '--hlep'", 0), 0u)
      << said_of("--hlep");
}

/// A card's paragraph continues below its text, in lines as long as the screen allows.
TEST(Explain, ACardsParagraphsAreFilled) {
  std::istringstream lines(said_of("team"));
  std::string last;
  std::size_t filled = 0;
  for (std::string line; std::getline(lines, line); last = line) {
    EXPECT_LE(line.size(), screen_columns) << line;
    const std::string label = "    mapping   ";
    if (!last.starts_with(label) || !line.starts_with(std::string(label.size(), ' '))) continue;
    const std::size_t word = std::min(line.find(' ', label.size()), line.size()) - label.size();
    EXPECT_GT(last.size() + 1 + word, screen_columns) << last << '\n' << line;
    ++filled;
  }
  EXPECT_GE(filled, 5u);
}

/// A meaning goes on below its beginning, in lines as long as the screen allows.
TEST(Explain, MeaningsOfColumnsAndFieldsAreFilled) {
  for (const auto& [word, column] : {std::pair{"table", 21u}, std::pair{"record", 8u}}) {
    const std::string blank(column, ' ');
    std::istringstream lines(said_of(word));
    std::string last;
    std::size_t filled = 0;
    for (std::string line; std::getline(lines, line); last = line) {
      EXPECT_LE(line.size(), screen_columns) << line;
      if (last.size() < column || !line.starts_with(blank) || line[column] == ' ') continue;
      const bool goes_on = last.starts_with(blank) || column > 8;
      if (!goes_on) continue;
      const std::size_t first = std::min(line.find(' ', column), line.size()) - column;
      EXPECT_GT(last.size() + 1 + first, screen_columns - 1) << last << '\n' << line;
      ++filled;
    }
    EXPECT_GE(filled, 10u) << word;
  }
}

} // namespace
} // namespace ado::bench
