// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/commands/compare.hpp>
#include <ado/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace ado::bench {
namespace {

using Index = std::map<std::string, const RecordedTimes*>;

Index by_name(const RunRecord& record) {
  Index index;
  for (const RecordedTimes& entry : record.entries)
    index.emplace(entry.name, &entry);
  return index;
}

/// What keeps an entry of the first run from having a ratio; `b` may be null.
std::optional<NotCompared> obstacle(const RecordedTimes& a, const RecordedTimes* b) {
  if (b == nullptr) return NotCompared{a.name, "only in A", true};
  if (!a.failure.empty() && !b->failure.empty())
    return NotCompared{a.name, "in both " + b->failure, false};
  if (!a.failure.empty()) return NotCompared{a.name, "in A " + a.failure, true};
  if (!b->failure.empty()) return NotCompared{a.name, "in B " + b->failure, true};
  return std::nullopt;
}

std::string or_plain(const std::string& conditions) {
  return conditions.empty() ? "nothing special" : conditions;
}

/// Refuses a run on another machine or of another program.
void check_alike(const RunRecord& first, const RunRecord& other) {
  for (const auto& [of_first, of_other] :
       {std::pair(&first.machine, &other.machine), std::pair(&first.build, &other.build)})
    for (std::size_t k = 0; k < of_first->size(); ++k)
      if ((*of_first)[k] != (*of_other)[k])
        throw InputError(other.path + ": its " + (*of_other)[k].first + " is '" +
                         (*of_other)[k].second + "', that of " + first.path + " '" +
                         (*of_first)[k].second +
                         "'; the runs of a side are of one program on one machine");
}

/// Adds the median of another run.
void add_run(RecordedTimes& entry, const Index& run, const std::string& path) {
  const auto found = run.find(entry.name);
  if (found == run.end()) {
    if (entry.failure.empty()) entry.failure = "not in " + path;
  } else if (const RecordedTimes& other = *found->second; !other.failure.empty()) {
    if (!entry.wrong) entry.failure = other.failure;
    entry.wrong = entry.wrong || other.wrong;
  } else if (other.conditions != entry.conditions) {
    throw InputError(path + ": its times of " + entry.name + " hold " + or_plain(other.conditions) +
                     ", those of another run of this side " + or_plain(entry.conditions));
  } else {
    entry.seconds.push_back(median(other.seconds));
    entry.is_reference = entry.is_reference && other.is_reference;
    if (other.over_native.empty())
      entry.over_native.clear();
    else if (!entry.over_native.empty())
      entry.over_native.push_back(median(other.over_native));
  }
  if (!entry.failure.empty()) entry.clear_times();
}

} // namespace

RunRecord merged(const std::vector<RunRecord>& runs) {
  RunRecord all = runs.front();
  for (RecordedTimes& entry : all.entries)
    for (std::vector<double>* values : {&entry.seconds, &entry.over_native})
      if (!values->empty()) *values = {median(*values)};
  for (std::size_t k = 1; k < runs.size(); ++k) {
    check_alike(runs.front(), runs[k]);
    const Index known = by_name(all), other = by_name(runs[k]);
    for (RecordedTimes& entry : all.entries)
      add_run(entry, other, runs[k].path);
    for (const RecordedTimes& entry : runs[k].entries)
      if (known.count(entry.name) == 0)
        all.entries.push_back({entry.name, {}, "not in " + runs.front().path, entry.wrong});
    for (const std::string& warning : runs[k].warnings)
      all.warnings.push_back(runs[k].path + ", " + warning);
    if (all.unverified.empty()) all.unverified = runs[k].unverified;
  }
  if (runs.size() > 1) all.path += " and " + std::to_string(runs.size() - 1) + " more";
  return all;
}

std::size_t Comparison::count(Verdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [&](const ComparedCase& one) {
        return !one.is_reference && one.verdict == verdict;
      }));
}

Comparison compare(const RunRecord& a, const RunRecord& b, const CompareRule& rule) {
  const Index in_a = by_name(a), in_b = by_name(b);
  Comparison result;
  result.wrong = static_cast<std::size_t>(std::count_if(
      b.entries.begin(), b.entries.end(), [](const RecordedTimes& entry) { return entry.wrong; }));
  for (const RecordedTimes& first : a.entries) {
    const auto found = in_b.find(first.name);
    const RecordedTimes* second = found == in_b.end() ? nullptr : found->second;
    if (second != nullptr && first.conditions != second->conditions &&
        result.other_conditions.empty())
      result.other_conditions = first.name + ": " + or_plain(first.conditions) + " in A, " +
                                or_plain(second->conditions) + " in B";
    if (const auto found_obstacle = obstacle(first, second)) {
      result.not_compared.push_back(*found_obstacle);
      continue;
    }
    // Whatever moved both, usually the machine, cancels in the ratios to the native variant.
    const bool by_native = !first.over_native.empty() && !second->over_native.empty();
    const auto values = by_native ? &RecordedTimes::over_native : &RecordedTimes::seconds;
    const std::vector<double>&in_first = first.*values, &in_second = second->*values;
    const Ratio estimate = rule.several ? rank_sum_ratio(in_first, in_second, rule.confidence)
                                        : unpaired_ratio(in_first, in_second);
    result.cases.push_back({&first, second, estimate, verdict_of(estimate, rule.least),
                            first.is_reference && second->is_reference});
  }
  for (const RecordedTimes& second : b.entries)
    if (in_a.find(second.name) == in_a.end())
      result.not_compared.push_back({second.name, "only in B", true});
  return result;
}

std::map<Verdict, std::size_t> compare_with_itself(const std::vector<RunRecord>& runs,
                                                   const CompareRule& rule) {
  std::map<Verdict, std::size_t> counts;
  if (runs.size() < 2 * least_runs) return counts;
  std::vector<RunRecord> halves[2];
  for (std::size_t k = 0; k < runs.size(); ++k)
    halves[k % 2].push_back(runs[k]);
  const Comparison comparison = compare(merged(halves[0]), merged(halves[1]), rule);
  for (const Verdict verdict :
       {Verdict::slower, Verdict::faster, Verdict::same, Verdict::inconclusive})
    counts[verdict] = comparison.count(verdict);
  return counts;
}

} // namespace ado::bench
