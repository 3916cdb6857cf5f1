// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The file that keeps the rows of an interrupted run: it reads back what was written, and refuses
// or drops anything else.
#include "described_device.hpp"
#include "npy_files.hpp"
#include <ado/bench/cli/plan.hpp>
#include <ado/bench/run/journal.hpp>
#include <ado/bench/run/session.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>

namespace ado::bench {
namespace {

const Ceilings ceilings{1.1e9,  2.2e9,  3.3e9,  4.4e12, 5.5e12,
                        6.6e-6, 7.7e-6, 8.8e9,  9.9e9,  10.1e9,
                        11.1e9, 12.1e9, 33.3e9, 1.5,    "2026-01-31T11:59:59Z"};
const RunIdentity identity{{"commit", "0123abc"}, {"command line", "--rows \"5\" \xff"}};

class JournalTest : public npy_files::NpyFixture {
protected:
  Measurement random_measurement(const Variant* variant) {
    std::exponential_distribution<double> time(1e3);
    Measurement m;
    m.variant = variant;
    m.ran = true;
    for (int k = 0; k < 7; ++k) {
      m.seconds.push_back(time(generator_));
      m.host_seconds.push_back(time(generator_));
      m.rank_seconds.push_back(time(generator_));
    }
    m.unverified = "not verified: 5 roundings";
    m.batch = 3;
    m.stopped_by = "decided";
    m.distinct_outputs = 2;
    m.witnessed = 15;
    m.with_transfers = time(generator_);
    m.max_difference = HUGE_VAL;
    m.check = {false, std::nan(""), time(generator_), 4, "[1][2] \"is\" wrong", "[2] is far off"};
    m.before = {true, 1980, 3201, time(generator_), 61, ""};
    m.after = {true, time(generator_), 2619, 700, 83, "power cap, thermal slowdown"};
    m.launches = {{{"kernel<a, b>", {1, 2, 3}, {4, 5, 6}, 7, 8, 9, 10, 11, 12, "registers", 1.25}},
                  ""};
    m.stages = {{{Stage::copy_in, 3, time(generator_), time(generator_)},
                 {Stage::store, 70, 0.5, time(generator_)}},
                time(generator_),
                "no clock",
                1e-6};
    return m;
  }
  RowResult random_row(const std::string& name) {
    RowResult row{.problem = {find_algorithm("yax"), {3, 5, 1}, Type::f64}, .name = name};
    row.portable = random_measurement(find_variant("yax", "kokkos", "team", device_.backend));
    row.native.variant = find_variant("yax", "serial", "serial", "");
    row.native.failure = "out of memory";
    row.native.refused = true;
    row.native.crashed = true;
    row.no_reference = "none";
    row.streamed = StreamFacts{96, 1 << 26, 8, 1 << 28, true};
    return row;
  }
  std::string text() const {
    std::ifstream file(path("j"), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void save(const std::string& bytes) const {
    std::ofstream(path("j"), std::ios::binary | std::ios::trunc) << bytes;
  }
  /// A journal of two rows.
  std::string written() {
    Journal journal(path("j"), false, identity);
    journal.begin(ceilings, "2026-01-31T12:00:00Z");
    journal.add(random_row("team"));
    journal.add(random_row("flat"));
    return text();
  }
  DescribedDevice device_{2, 1 << 20, 1 << 30};
  std::mt19937_64 generator_{1};
};

/// NaN equals NaN here.
void expect_same(const Measurement& a, const Measurement& b) {
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  EXPECT_EQ(a.variant, b.variant);
  EXPECT_EQ(a.failure, b.failure);
  EXPECT_EQ(std::tie(a.ran, a.skipped, a.refused, a.crashed, a.unverified),
            std::tie(b.ran, b.skipped, b.refused, b.crashed, b.unverified));
  EXPECT_EQ(a.seconds, b.seconds);
  EXPECT_EQ(a.host_seconds, b.host_seconds);
  EXPECT_EQ(std::tie(a.batch, a.stopped_by, a.distinct_outputs, a.witnessed, a.with_transfers),
            std::tie(b.batch, b.stopped_by, b.distinct_outputs, b.witnessed, b.with_transfers));
  EXPECT_TRUE(same(a.max_difference, b.max_difference));
  EXPECT_TRUE(same(a.check.max_error, b.check.max_error));
  EXPECT_EQ(std::tie(a.check.ok, a.check.worst_bound_share, a.check.wrong, a.check.first_wrong),
            std::tie(b.check.ok, b.check.worst_bound_share, b.check.wrong, b.check.first_wrong));
  EXPECT_EQ(a.check.unlikely, b.check.unlikely);
  for (const auto& [x, y] : {std::pair(&a.before, &b.before), std::pair(&a.after, &b.after)}) {
    EXPECT_EQ(std::tie(x->known, x->clock_mhz, x->memory_clock_mhz),
              std::tie(y->known, y->clock_mhz, y->memory_clock_mhz));
    EXPECT_EQ(std::tie(x->watts, x->celsius, x->throttled),
              std::tie(y->watts, y->celsius, y->throttled));
  }
  EXPECT_EQ(a.launches.unknown_because, b.launches.unknown_because);
  ASSERT_EQ(a.launches.kernels.size(), b.launches.kernels.size());
  for (std::size_t k = 0; k < a.launches.kernels.size(); ++k) {
    const LaunchFacts &x = a.launches.kernels[k], &y = b.launches.kernels[k];
    EXPECT_EQ(std::tie(x.kernel, x.grid, x.block, x.registers, x.static_shared_bytes),
              std::tie(y.kernel, y.grid, y.block, y.registers, y.static_shared_bytes));
    EXPECT_EQ(std::tie(x.dynamic_shared_bytes, x.local_bytes, x.resident_warps, x.maximum_warps),
              std::tie(y.dynamic_shared_bytes, y.local_bytes, y.resident_warps, y.maximum_warps));
    EXPECT_EQ(x.limited_by, y.limited_by);
    EXPECT_EQ(x.waves, y.waves);
  }
  EXPECT_EQ(std::tie(a.stages.elapsed, a.stages.unknown_because, a.stages.clocks_differ),
            std::tie(b.stages.elapsed, b.stages.unknown_because, b.stages.clocks_differ));
  ASSERT_EQ(a.stages.spans.size(), b.stages.spans.size());
  for (std::size_t k = 0; k < a.stages.spans.size(); ++k) {
    const StageSpan &x = a.stages.spans[k], &y = b.stages.spans[k];
    EXPECT_EQ(std::tie(x.stage, x.chunk, x.begin, x.end),
              std::tie(y.stage, y.chunk, y.begin, y.end));
  }
}

TEST_F(JournalTest, OneLineIsNotSaidToBeSeveral) {
  {
    Journal journal(path("j"), false, identity);
    journal.begin(ceilings, "then");
    journal.add(random_row("team"));
  }
  expect_refused("holds 1 line of a run", [&] { Journal(path("j"), false, identity); });
}

TEST_F(JournalTest, RowsReadBackWithTheSameBits) {
  const RowResult row = random_row("team");
  {
    Journal journal(path("j"), false, identity);
    journal.begin(ceilings, "then");
    journal.add(row);
  }
  const Journal journal(path("j"), true, identity);
  ASSERT_EQ(journal.rows().size(), 1u);
  EXPECT_EQ(journal.rows()[0].name, row_name(row.problem, row.name));
  expect_same(journal.rows()[0].portable, row.portable);
  expect_same(journal.rows()[0].native, row.native);
  expect_same(journal.rows()[0].reference, row.reference);
  EXPECT_EQ(journal.rows()[0].no_reference, "none");
  EXPECT_EQ(journal.rows()[0].streamed, (StreamFacts{96, 1 << 26, 8, 1 << 28, true}));
  for (const CeilingField& field : ceiling_fields)
    EXPECT_EQ((*journal.ceilings()).*field.value, ceilings.*field.value) << field.name;
  EXPECT_EQ(journal.ceilings()->measured, ceilings.measured);
  EXPECT_EQ(journal.dates(), std::vector<std::string>{"then"});
}

TEST_F(JournalTest, WhereverItIsCutTheWholeLinesCount) {
  const std::string whole = written();
  for (std::size_t bytes = 0; bytes <= whole.size(); bytes += 1 + bytes % 29) {
    const std::string cut = whole.substr(0, bytes);
    save(cut);
    const auto lines = std::count(cut.begin(), cut.end(), '\n');
    {
      Journal journal(path("j"), true, identity);
      ASSERT_EQ(journal.rows().size(), lines < 2 ? 0u : std::size_t(lines) - 1) << bytes;
      journal.begin(ceilings, "now");
      if (journal.rows().size() < 2) journal.add(random_row("next"));
    }
    const Journal again(path("j"), true, identity);
    ASSERT_EQ(again.rows().size(), std::size_t(lines == 3 ? 2 : lines == 2 ? 2 : 1)) << bytes;
  }
}

/// Otherwise the fuzzer would start from input that is refused at the first line.
TEST_F(JournalTest, TheSeedsOfTheFuzzerAreRead) {
  const std::map<std::string, std::size_t> rows{{"cut_off", 1},      {"negative_times", 1},
                                                {"no_times", 1},     {"one_side_without_times", 1},
                                                {"resumed", 2},      {"times_of_unequal_number", 1},
                                                {"two_rows", 2},     {"wrong_result", 1},
                                                {"zero_ceilings", 1}};
  for (const auto& [name, count] : rows) {
    std::filesystem::copy_file(ADO_SOURCE_DIR "/tests/fuzz/corpus/journal/" + name, path(name));
    const Journal journal(path(name), true, {{"commit", "0123abc"}, {"command line", "--rows 5"}});
    EXPECT_EQ(journal.rows().size(), count) << name;
  }
}

TEST_F(JournalTest, DamagedLinesAreRefusedByNumber) {
  const std::string whole = written();
  const std::size_t second = whole.find('\n') + 1;
  for (int k = 0; k < 200; ++k) {
    std::string damaged = whole;
    damaged[second + generator_() % (whole.size() - second - 1)] = '}';
    save(damaged);
    try {
      const Journal journal(path("j"), true, identity); // inside a text it is no damage
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(" is damaged ("), std::string::npos) << error.what();
    }
    EXPECT_EQ(text(), damaged);
  }
  std::string damaged = whole;
  damaged[second] = 'x';
  save(damaged);
  expect_refused("line 2 is damaged", [&] { Journal(path("j"), true, identity); });
}

/// Texts shown in a table may come from a file that somebody else wrote.
TEST_F(JournalTest, ItsTextsCannotSpeakToTheTerminal) {
  const std::string whole = written();
  std::string hostile = whole;
  for (const char* key :
       {"\"failure\":\"", "\"unverified\":\"", "\"no_reference\":\"", "\"date\":\""})
    for (std::size_t at = 0; (at = hostile.find(key, at)) != std::string::npos; at += 20)
      hostile.insert(at + std::string(key).size(), "\\u001b[2J\xc2\x9b"
                                                   "1m\\u007f");
  save(hostile);
  const Journal journal(path("j"), true, identity);
  ASSERT_EQ(journal.rows().size(), 2u);
  EXPECT_EQ(journal.dates()[0], "?[2J??1m?2026-01-31T12:00:00Z");
  for (const FinishedRow& row : journal.rows())
    for (const std::string& text : {row.portable.failure, row.native.unverified, row.no_reference})
      EXPECT_EQ(text.rfind("?[2J??1m?", 0), 0u) << text;
}

/// Printing nested JSON takes a stack frame per level, and reading it a hundred bytes.
TEST_F(JournalTest, DeepNestingIsDamage) {
  const std::string whole = written();
  const std::size_t second = whole.find('\n') + 1;
  const std::string variant = R"("variant":["yax")";
  const std::size_t at = whole.find(variant, second) + variant.size();
  const std::string deep(1'000'000, '['), undo(1'000'000, ']');
  save(std::string(whole).insert(at, R"(,"a","b","c",)" + deep + undo));
  expect_refused("line 2 is damaged (is nested deeper than 32 levels",
                 [&] { Journal(path("j"), true, identity); });
  save(whole.substr(0, second - 1) + deep);
  EXPECT_EQ(Journal(path("j"), true, identity).rows().size(), 0u) << "a line that was cut off";
  save(deep + "\n" + whole);
  expect_refused("is no journal", [&] { Journal(path("j"), true, identity); });
}

TEST_F(JournalTest, NoControlCharacterOfAFileReachesTheTerminal) {
  std::string whole = written();
  whole.replace(whole.find("0123abc"), 7, "\\u001b[31m\\u0007");
  save(whole);
  try {
    const Journal journal(path("j"), true, identity);
    FAIL() << "another run's";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("its commit is '?[31m?'"), std::string::npos)
        << error.what();
  }
}

TEST_F(JournalTest, IsOfOneRunAndOneProcess) {
  const std::string whole = written();
  expect_refused("its commit is '0123abc', here it is '4567def'", [&] {
    Journal(path("j"), true, {{"commit", "4567def"}, identity[1]});
  });
  expect_refused("its command line is", [&] { Journal(path("j"), true, {identity[0]}); });
  expect_refused("--resume", [&] { Journal(path("j"), false, identity); });
  EXPECT_EQ(text(), whole);
  const Journal open(path("j"), true, identity);
  expect_refused("another run", [&] { Journal(path("j"), true, identity); });
}

TEST_F(JournalTest, WithoutARowNothingIsLeftBehind) {
  {
    Journal journal(path("j"), false, identity);
    journal.begin(ceilings, "now");
  }
  EXPECT_EQ(files(), 0u);
  written();
  Journal(path("j"), true, identity).remove();
  EXPECT_EQ(files(), 0u);
}

/// The plan must match the journal row by row.
TEST_F(JournalTest, RowsOfAnotherPlanAreRefused) {
  written();
  Journal journal(path("j"), true, identity);
  const Problem problem{find_algorithm("yax"), {3, 5, 1}, Type::f64};
  const std::vector<Case> cases{{problem, {}, {Row{.name = "flat"}, Row{.name = "team"}}}};
  expect_refused("yax/rows:3/cols:5/type:f64/team where the plan has",
                 [&] { run_cases(Options(), cases, device_, device_, ceilings, &journal); });
}

} // namespace
} // namespace ado::bench
