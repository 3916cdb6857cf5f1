// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// If any field of a journal is changed, the run refuses to resume from it, or its results are the
// same. The fields come from the JSON, so new ones are tested too.
#include "described_device.hpp"
#include "json_mutations.hpp"
#include "npy_files.hpp"
#include <ado/bench/records/json.hpp>
#include <ado/bench/report/cells.hpp>
#include <ado/bench/run/journal.hpp>
#include <ado/bench/run/session.hpp>
#include <ado/host/fingerprint.hpp>
#include <ado/registry/registry.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <sstream>

namespace ado::bench {
namespace {

using Json = nlohmann::json;
using namespace std::string_literals;

/// Findings of a run that nothing else in its file repeats. Another value of the same kind could
/// come from another run, so only the line's checksum tells. No such change turns a failure into a
/// success.
const std::set<std::string> facts{
    "seconds[]", "host_seconds[]", "batch", "stopped_by", "distinct_outputs", "witnessed",
    "with_transfers", "max_difference", "check.max_error", "check.worst_bound_share",
    // failures: the text, the number, and whether arguments were wrong: exit status 2, not 3
    "failure", "refused", "unverified", "check.wrong", "check.first_wrong", "check.unlikely",
    // a GPU's state, its launches, and the stages of an extra run
    "before", "before.clock_mhz", "before.memory_clock_mhz", "before.watts", "before.celsius",
    "before.throttled", "after", "after.clock_mhz", "after.memory_clock_mhz", "after.watts",
    "after.celsius", "after.throttled", "launches", "launches.unknown_because", "launches.kernels",
    "launches.kernels[]", "launches.kernels[].kernel", "launches.kernels[].grid",
    "launches.kernels[].grid[]", "launches.kernels[].block", "launches.kernels[].block[]",
    "launches.kernels[].registers", "launches.kernels[].static_shared_bytes",
    "launches.kernels[].dynamic_shared_bytes", "launches.kernels[].local_bytes",
    "launches.kernels[].resident_warps", "launches.kernels[].maximum_warps",
    "launches.kernels[].limited_by", "launches.kernels[].waves", "stages", "stages.unknown_because",
    "stages.elapsed", "stages.clocks_differ", "stages.spans", "stages.spans[]",
    "stages.spans[].stage", "stages.spans[].chunk", "stages.spans[].begin", "stages.spans[].end",
    "check", "streamed.slices", "streamed.slice_bytes", "streamed.period", "streamed.device_bytes",
    // the run
    "date", "ceilings.measured"};

class JournalMeaning : public npy_files::NpyFixture {
protected:
  struct Outcome {
    std::string refused, record;
    std::vector<std::string> verdicts; ///< per row, with the exit status if it ran alone
  };

  std::vector<std::string> lines() const {
    std::ifstream file(path("j"));
    std::vector<std::string> all;
    for (std::string line; std::getline(file, line);)
      all.push_back(line);
    return all;
  }
  static std::string without_checksum(const std::string& line) {
    return line.substr(0, line.rfind(",\"checksum\":")) + "}";
  }
  static std::string with_checksum(const std::string& object) {
    return object.substr(0, object.size() - 1) +
           ",\"checksum\":" + std::to_string(fingerprint(object)) + "}";
  }
  /// The outcome of a run that resumes from these lines.
  Outcome resumed(const std::vector<std::string>& of_journal) {
    std::filesystem::remove(path("j"));
    std::ofstream file(path("j"), std::ios::binary);
    for (const std::string& line : of_journal)
      file << line << '\n';
    file.close();
    try {
      Journal journal(path("j"), true, identity_);
      const Results results = run_cases(options_, cases_, *device_, *device_,
                                        journal.ceilings().value_or(Ceilings()), &journal);
      Outcome outcome{
          .refused = {}, .record = json_text(results, described_facts()), .verdicts = {}};
      for (const RowResult& row : results.rows) {
        Results alone = results;
        alone.rows = {row};
        const int status = exit_status(alone);
        // 2 and 3 both mean: could not run
        outcome.verdicts.push_back(verdict_word(row) +
                                   (status == 3 ? " 2"s : " " + std::to_string(status)));
      }
      return outcome;
    } catch (const InputError& error) {
      return {.refused = error.what(), .record = {}, .verdicts = {}};
    }
  }
  /// As run_cases() writes it.
  void write_journal(const std::vector<RowResult>& rows) {
    std::filesystem::remove(path("j"));
    Journal journal(path("j"), false, identity_);
    journal.begin(ceilings_, "2026-01-31T12:00:00Z");
    if (rows.empty()) run_cases(options_, cases_, *device_, *device_, ceilings_, &journal);
    for (const RowResult& row : rows)
      journal.add(row);
  }
  void expect_refused_or_harmless();

  static Measurement timed(const Variant* variant, std::vector<double> seconds) {
    Measurement m;
    m.variant = variant;
    m.ran = true;
    m.seconds = m.host_seconds = std::move(seconds);
    m.stopped_by = "reps";
    m.distinct_outputs = 1;
    m.witnessed = 41 * 67;
    m.check.max_error = 1e-9;
    m.check.worst_bound_share = 0.25;
    return m;
  }
  RowResult planned(std::size_t k) const {
    const Case& c = cases_.at(0);
    RowResult row{.problem = c.problem, .name = c.rows.at(k).name};
    row.portable.variant = c.rows[k].portable;
    row.native.variant = c.rows[k].native;
    return row;
  }

  const Variant* team_ = find_variant("yax", "openmp", "team", "");
  const Variant* serial_ = find_variant("yax", "serial", "serial", "");
  Problem problem_{find_algorithm("yax"), {41, 67, 1}, Type::f64};
  RunIdentity identity_{{"commit", "0123abc"}, {"command line", "--rows 5"}};
  Ceilings ceilings_{1e9, 2e9, 3e9, 4e12, 5e12, 6e-6, 1e-6};
  Options options_;
  std::vector<Case> cases_;
  std::unique_ptr<Device> device_;
};

void JournalMeaning::expect_refused_or_harmless() {
  const std::vector<std::string> whole = lines();
  const Outcome expected = resumed(whole);
  ASSERT_EQ(expected.refused, "");
  std::size_t mutations = 0, refused = 0, harmless = 0;
  std::set<std::string> believed;
  for (std::size_t k = 0; k < whole.size(); ++k) {
    const Json object = Json::parse(without_checksum(whole[k]));
    std::vector<Json> others;
    for (std::size_t other = 1; other < whole.size(); ++other)
      if (other != k && k > 0) others.push_back(Json::parse(without_checksum(whole[other])));
    for (const Mutation& mutation : mutations_of(object, others)) {
      std::vector<std::string> lie = whole;
      const std::string text = mutation.document.dump();
      SCOPED_TRACE(mutation.path + " of line " + std::to_string(k + 1) + ": " + mutation.what);
      ++mutations;
      lie[k] = with_checksum(text);
      const Outcome outcome = resumed(lie);
      if (!outcome.refused.empty()) {
        ++refused;
        EXPECT_EQ(outcome.refused.rfind(path("j") + ": ", 0), 0u) << outcome.refused;
        continue;
      }
      ++harmless;
      lie[k] = text.substr(0, text.size() - 1) + whole[k].substr(whole[k].rfind(",\"checksum\":"));
      EXPECT_NE(resumed(lie).refused, "") << "with the checksum of what stood there";
      const std::string field = name_of_field(mutation.path);
      // A whole side may come from another row of the same variant: only the checksum tells.
      if (field == "portable" || field == "native") continue;
      EXPECT_EQ(outcome.verdicts, expected.verdicts);
      if (outcome.record == expected.record) continue;
      EXPECT_TRUE(facts.count(field) == 1 || field.rfind("ceilings.", 0) == 0)
          << field << " is believed";
      EXPECT_TRUE(mutation.what[0] != '-' || mutation.what == "-0.0") << "no fact is below 0";
    }
  }
  std::cout << mutations << " mutations, " << refused << " refused, " << harmless << " harmless\n";
  EXPECT_GT(mutations, 1000u);
}

TEST_F(JournalMeaning, OfAHost) {
  device_ = std::make_unique<HostMemoryDevice>();
  options_.stop.reps = 3;
  options_.reference = ReferenceSpec{.model = "serial", .variant = "serial", .backend = {}};
  cases_ = {{problem_,
             {},
             {Row{.name = "pair", .portable = team_, .native = serial_},
              Row{.name = "alone", .native = team_}}}};
  write_journal({});
  EXPECT_EQ(resumed(lines()).verdicts, (std::vector<std::string>{"verified 0", "verified 0"}));
  expect_refused_or_harmless();
}

/// For any kind of row, no lie changes the outcome.
TEST_F(JournalMeaning, OfRowsThatFailed) {
  device_ = std::make_unique<HostMemoryDevice>();
  const Problem whole_numbers{problem_.algorithm, problem_.shape, Type::i32};
  const auto pair = [&](const char* name) {
    return Row{.name = name, .portable = team_, .native = serial_};
  };
  cases_ = {{problem_, {}, {pair("wrong"), pair("refused"), pair("failed"), pair("unlikely")}},
            {whole_numbers, {}, {pair("skipped")}}};
  std::vector<RowResult> rows;
  for (std::size_t k = 0; k < 4; ++k)
    rows.push_back(planned(k));
  rows.push_back({.problem = whole_numbers, .name = "skipped"});
  for (RowResult& row : rows) {
    row.portable.variant = team_;
    row.native.variant = serial_;
  }
  rows[0].portable = timed(team_, {1e-3, 2e-3});
  rows[0].native.ran = true;
  rows[0].native.failure = "WRONG in timed run 1: [3] is 4";
  rows[0].native.check = {false, std::nan(""), HUGE_VAL, 3, "[3] is 4", ""};
  rows[1].portable.failure = rows[1].native.failure = "team 7 is too large";
  rows[1].portable.refused = rows[1].native.refused = true;
  rows[2].portable.failure = rows[2].native.failure = "out of memory";
  rows[3].portable = rows[3].native = timed(team_, {1e-3, 2e-3, 3e-3});
  rows[3].native.variant = serial_;
  rows[3].portable.check.unlikely = "[3] is 5";
  rows[3].portable.unverified = "not verified: its 9 roundings in a row lose digits: [3] is 5";
  rows[4].portable.failure = rows[4].native.failure = "has no i32";
  rows[4].portable.skipped = rows[4].native.skipped = true;
  write_journal(rows);
  expect_refused_or_harmless();
}

TEST_F(JournalMeaning, OfAGpu) {
  device_ = std::make_unique<DescribedDevice>(2, 1 << 20, 1 << 30);
  device_->on_host = false;
  device_->memory_cap = 20'000; // less than the matrix
  cases_ = {{problem_, {}, {Row{.name = "stream", .native = team_}}}};
  RowResult row = planned(0);
  row.native = timed(team_, {1e-3, 2e-3});
  row.native.with_transfers = 5e-3;
  row.native.before = row.native.after = {true, 1980, 3201, 700, 61, "power cap"};
  row.native.launches.kernels = {
      {"kernel", {1, 2, 3}, {32, 1, 1}, 7, 8, 9, 10, 11, 64, "registers", 1.25}};
  row.native.stages = {{{Stage::copy_in, 0, 0.25, 0.5}, {Stage::store, 1, 0.5, 0.75}}, 1, "", 1e-6};
  row.streamed = StreamFacts{3, 8000, 3, 19'000, false};
  write_journal({row});
  expect_refused_or_harmless();
}

/// What is said about the worst lies.
TEST_F(JournalMeaning, IsRefusedWithRowFieldAndCure) {
  device_ = std::make_unique<HostMemoryDevice>();
  options_.stop.reps = 3;
  cases_ = {{problem_, {}, {Row{.name = "pair", .portable = team_, .native = serial_}}}};
  write_journal({});
  const std::vector<std::string> whole = lines();
  const auto expect_said = [&](const char* pointer, const Json& value, const std::string& said) {
    Json row = Json::parse(without_checksum(whole[1]));
    row[Json::json_pointer(pointer)] = value;
    const std::string message = resumed({whole[0], with_checksum(row.dump())}).refused;
    EXPECT_NE(message.find(said), std::string::npos) << message;
    EXPECT_EQ(message.rfind(path("j") + ": ", 0), 0u) << message;
    EXPECT_NE(message.find("; to begin anew, delete the file"), std::string::npos) << message;
  };
  const std::string row = "row yax/rows:41/cols:67/type:f64/pair: ";
  expect_said("/portable/seconds", {-1, -1, -1}, row + "portable.seconds are not all above 0");
  expect_said("/portable/host_seconds", Json::array(),
              row + "portable.host_seconds are not as many");
  expect_said("/native/check/ok", false, row + "native.check.ok does not agree with");
  expect_said("/native/ran", false, row + "native.ran is false, and no failure says why");
  expect_said("/native", nullptr, row + "native.variant is not the plan's");
  expect_said("/native/variant/2", "team", "this build has no such variant");
  expect_said("/portable/variant", Json{"yax", "serial", "serial", "host"},
              row + "portable.variant is not the plan's");
  expect_said("/portable/skipped", 1, "line 2 is damaged (it.portable.skipped is no boolean)");
  const std::string two = with_checksum(without_checksum(whole[1]));
  EXPECT_NE(resumed({whole[0], two, two}).refused.find("has 2 rows where the plan has 1"),
            std::string::npos);
  std::string time = whole[1]; // a digit that every rule notices
  time.replace(time.find("\"seconds\":[") + 11, 1, "2");
  EXPECT_NE(resumed({whole[0], time}).refused.find("line 2 is not as it was written"),
            std::string::npos);
}

} // namespace
} // namespace ado::bench
