// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// miniapp compare: one run against another, or several against several.
#pragma once

#include <ado/bench/io/text_table.hpp>
#include <ado/bench/records/reader.hpp>
#include <ado/bench/stats/statistics_unpaired.hpp>

#include <cstddef>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace ado::bench {

/// One variant in one case of both runs.
struct ComparedCase {
  const RecordedTimes* a;
  const RecordedTimes* b;
  /// b over a: of the times over the native ones that ran in turn with them, else of plain times.
  Ratio estimate;
  Verdict verdict;
  bool is_reference; ///< native, and judged by nothing: if it moved, the machine did
};

/// A variant without times in at least one of the runs.
struct NotCompared {
  std::string name, why;
  bool in_one; ///< the other run has times: something changed

  bool operator==(const NotCompared&) const = default;
};

struct Comparison {
  std::vector<ComparedCase> cases; ///< with times in both
  std::vector<NotCompared> not_compared;
  std::size_t wrong = 0; ///< wrong results in B
  /// How the conditions of A and B differ in the first case where they do; empty: nowhere.
  std::string other_conditions{};
  /// Of A's runs, every other one with those between; absent: it is not known how A was run.
  std::map<Verdict, std::size_t> itself{};

  std::size_t count(Verdict verdict) const; ///< among cases that are no reference
};

/// Two sides of four runs have no interval of 99 %.
inline constexpr std::size_t least_runs = 5;

/// What counts as a difference. Two processes differ for no reason (memory placement, clocks), and
/// one run of each cannot show that: then less than 5 % says nothing. With several runs, each is a
/// sample. Then 15 cases that have not changed would differ by chance in every other comparison
/// with intervals of 95 %, and in one of seven with 99 %.
struct CompareRule {
  bool several = false; ///< several runs on both sides, merged()
  double least = several ? least_effect : 0.05;
  Confidence confidence = several ? Confidence::percent_99 : Confidence::percent_95;
};

Comparison compare(const RunRecord& a, const RunRecord& b, const CompareRule& rule);

/// How many cases of one program's runs differ from themselves: the runs of even place with those
/// of odd place. Empty if there are fewer than `least_runs` of each.
std::map<Verdict, std::size_t> compare_with_itself(const std::vector<RunRecord>& runs,
                                                   const CompareRule& rule);

/// Merges runs of one program on one machine into one record; its times are each run's median. A
/// case that is missing or failed in one run counts as failed. Throws InputError if machines,
/// builds or conditions differ.
RunRecord merged(const std::vector<RunRecord>& runs);

} // namespace ado::bench
