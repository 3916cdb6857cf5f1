// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// miniapp compare: a second run against a first one, or several against several.
#pragma once

#include <ado/bench/io/text_table.hpp>
#include <ado/bench/records/reader.hpp>
#include <ado/bench/stats/statistics_unpaired.hpp>

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace ado {

/// One variant in one case of both runs.
struct ComparedCase {
  const RecordedTimes* a;
  const RecordedTimes* b;
  /// b over a: of the times over the native ones that ran in turn with them, else of the times.
  Ratio estimate;
  Verdict verdict;
  bool is_reference; ///< native, and judged by nothing: where it moved, the machine did
};

/// One that has no times in one of the runs at least.
struct NotCompared {
  std::string name, why;
  bool in_one; ///< the other run has times: something changed

  bool operator==(const NotCompared&) const = default;
};

struct Comparison {
  std::vector<ComparedCase> cases; ///< with times in both
  std::vector<NotCompared> not_compared;
  std::size_t wrong = 0; ///< results of B that were wrong
  /// Of the first case whose times in A and B hold different things, which; empty where none is.
  std::string other_conditions{};

  std::size_t count(Verdict verdict) const; ///< of what is judged
};

/// What makes a difference. Two processes differ without a reason (where memory lies, what clocks do), which one run
/// of each does not show: so then less than 5 % says nothing. Of several runs each is a sample.
struct CompareRule {
  bool several = false; ///< runs on both sides, merged()
  double least = several ? least_effect : 0.05;
};

Comparison compare(const RunRecord& a, const RunRecord& b, const CompareRule& rule);

/// Runs of one program on one machine as one record, whose times are each run's median. A case that is not in all of
/// them, or failed in one, failed. Throws InputError where machines, builds or conditions differ.
RunRecord merged(const std::vector<RunRecord>& runs);

} // namespace ado
