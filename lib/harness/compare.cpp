// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/harness/compare.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace ado {
namespace {

using Index = std::map<std::string, const RecordedTimes*>;

Index by_name(const RunRecord& record) {
  Index index;
  for (const RecordedTimes& entry : record.entries)
    index.emplace(entry.name, &entry);
  return index;
}

/// What keeps an entry of the first run from a ratio; `b` may be null.
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

} // namespace

std::size_t Comparison::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::count_if(
      cases.begin(), cases.end(), [&](const ComparedCase& one) { return one.verdict == verdict; }));
}

Comparison compare(const RunRecord& a, const RunRecord& b) {
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
    const Ratio estimate = unpaired_ratio(first.seconds, second->seconds);
    result.cases.push_back({&first, second, estimate, verdict_of(estimate)});
  }
  for (const RecordedTimes& second : b.entries)
    if (in_a.find(second.name) == in_a.end())
      result.not_compared.push_back({second.name, "only in B", true});
  return result;
}

} // namespace ado
