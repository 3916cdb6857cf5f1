// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain: nothing that a table, record or limiter says is without an explanation.
#include "csv_reader.hpp"
#include "described_device.hpp"
#include <ado/core/registry.hpp>
#include <ado/harness/compare.hpp>
#include <ado/harness/explain.hpp>
#include <ado/harness/limiter.hpp>
#include <ado/harness/options.hpp>
#include <ado/harness/record.hpp>
#include <ado/harness/report.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace ado {
namespace {

/// What explain prints, or the message with which it refuses.
std::string said_of(const std::string& word) {
  std::ostringstream out;
  try {
    explain_command({word}, out);
  } catch (const UsageError& error) {
    return error.what();
  }
  return out.str();
}

/// Whether a word of this kind has an explanation that says something.
bool is_explained(const std::string& word, const std::string& kind) {
  const auto all = explanations();
  return std::any_of(all.begin(), all.end(), [&](const Explanation& one) {
    return one.word == word && one.kind == kind && one.text.size() >= 5;
  });
}

/// The title of a column as a reader says it.
std::string one_line(std::string title) {
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
    for (const ReportColumn* column : columns_of(results)) {
      const std::string title = one_line(column->column.title);
      EXPECT_TRUE(is_explained(title, "column of the table")) << title;
      EXPECT_NE(said_of("table").find("    " + std::string(column->name) + " "), std::string::npos)
          << title;
    }
  }
}

TEST(Explain, EveryColumnOfStagesAndEveryStage) {
  for (const TextTable::Column& column : stage_columns())
    EXPECT_TRUE(is_explained(one_line(column.title), "column of --stages")) << column.title;
  for (const std::string_view stage : stage_names)
    EXPECT_TRUE(is_explained(std::string(stage), "column of --stages")) << stage;
}

TEST(Explain, EveryColumnOfLaunchesAndOfCompare) {
  for (const TextTable::Column& column : launch_columns())
    EXPECT_TRUE(is_explained(one_line(column.title), "column of --launches")) << column.title;
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
  EXPECT_GT(words, 882u); // some have two
}

TEST(Explain, EveryVariantWithItsCard) {
  for (const Variant& v : variants()) {
    const std::string said = said_of(std::string(v.name));
    EXPECT_NE(said.find(v.summary), std::string::npos) << v.file;
    EXPECT_NE(said.find("variant of " + std::string(v.algorithm)), std::string::npos) << v.file;
    const std::string text = said_of(std::string(v.algorithm));
    EXPECT_NE(text.find("(algorithm)"), std::string::npos) << v.algorithm;
  }
  EXPECT_NE(said_of("tiled_padded").find("teaches   "), std::string::npos);
  EXPECT_NE(said_of("block_per_set").find("mapping   "), std::string::npos);
}

TEST(Explain, VerdictsAndExitStatuses) {
  for (const char* word : {"slower", "faster", "same", "inconclusive", "verified", "WRONG"})
    EXPECT_NE(said_of(word).find("(verdict on a r"), std::string::npos) << word;
  for (const char* digit : {"0", "1", "2", "3", "4", "5", "6"})
    EXPECT_NE(said_of(std::string("exit status ") + digit).find("(exit status)"), std::string::npos)
        << digit;
}

TEST(Explain, AnUnknownWordIsRefusedWithTheNearestOnes) {
  EXPECT_EQ(said_of("latencie").rfind("explain: no word 'latencie'; near it: latency, ", 0), 0u)
      << said_of("latencie");
  const auto near = nearest_words("padded", explanations());
  ASSERT_EQ(near.size(), 5u);
  EXPECT_EQ(near[0], "tiled_padded");
}

} // namespace
} // namespace ado
