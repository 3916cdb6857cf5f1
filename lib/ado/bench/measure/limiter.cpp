// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/measure/limiter.hpp>

#include <algorithm>
#include <cmath>

namespace ado {
namespace {

struct Cure {
  Cause cause;
  std::string_view algorithm, rung;
};

/// In the order of the ladders.
constexpr Cure cures[] = {
    {Cause::few_teams, "average_mv", "block_per_set"},
    {Cause::few_teams, "average_mv", "team"},
    {Cause::few_teams, "yax", "row_per_thread"},
    {Cause::few_teams, "yax", "row_per_vector"},
    {Cause::few_teams, "yax", "team"},
    {Cause::uncoalesced, "average", "team"},
    {Cause::uncoalesced, "average_mv", "coalesced"},
    {Cause::uncoalesced, "average_mv", "vector_mv"},
    {Cause::uncoalesced, "transpose", "tiled"},
    {Cause::uncoalesced, "vector_add", "coalesced"},
    {Cause::uncoalesced, "yax", "row_per_vector"},
    {Cause::bank_conflicts, "transpose", "tiled_padded"},
    {Cause::few_bytes, "average", "team"},
    {Cause::few_bytes, "average_mv", "team"},
    {Cause::few_bytes, "transpose", "team"},
    {Cause::few_bytes, "vector_add", "wide"},
    {Cause::few_bytes, "yax", "team"},
};

/// The first one of an algorithm, or the one behind `variant` where that is one of them itself or a
/// form of it, as `row_per_thread_left` is one of `row_per_thread`.
const Cure* next_cure(Cause cause, std::string_view algorithm, std::string_view variant) {
  const Cure* next = nullptr;
  for (const Cure& cure : cures) {
    if (cure.cause != cause || cure.algorithm != algorithm) continue;
    if (variant.starts_with(cure.rung))
      next = nullptr;
    else if (next == nullptr)
      next = &cure;
  }
  return next;
}

} // namespace

const std::vector<LimiterName>& limiter_names() {
  static const std::vector<LimiterName> names{
      {"memory", "Memory is at 60 % or more of what it can do, and 10 points or more busier than\n"
                 "arithmetic. Moving fewer bytes helps: reuse what was read, narrower types."},
      {"compute",
       "Arithmetic is at 60 % or more of what it can do, and 10 points or more busier than\n"
       "memory. Fewer or cheaper operations help."},
      {"balanced",
       "Memory and arithmetic are both near 60 % or more, less than 10 points apart. Making one\n"
       "of them cheaper alone helps little."},
      {"latency",
       "Neither memory nor arithmetic reaches 60 %: the kernel waits, for memory to answer, at\n"
       "barriers, for launches, or on chip, for bank conflicts and uncoalesced accesses, which\n"
       "the bytes of a formula do not show. More bytes in flight help; --diagnose tells which."},
      {"small grid",
       "Said with latency: the blocks do not fill the GPU once. More teams, or fewer rows a team."},
      {"near the roof",
       "Said with memory or compute: 80 % or more. Only work that goes elsewhere helps: fewer\n"
       "bytes, or another unit."},
      {"link",
       "Of a stream of chunks on a GPU: the link between host and device is at 60 % or more of\n"
       "what it can do, and 10 points or more busier than arithmetic. Fewer bytes help."}};
  return names;
}

std::string_view limiter_by_rule(double compute, double memory, std::optional<double> waves) {
  const double busiest = std::max(compute, memory);
  if (busiest >= 80) return memory >= compute ? "memory, near the roof" : "compute, near the roof";
  if (busiest < 60) return waves && *waves < 1 ? "latency, small grid" : "latency";
  if (std::fabs(memory - compute) < 10) return "balanced";
  return memory > compute ? "memory" : "compute";
}

std::string_view limiter_of_stream(double compute, double link) {
  const std::string_view found = limiter_by_rule(compute, link);
  if (found == "memory") return "link";
  return found == "memory, near the roof" ? "link, near the roof" : found;
}

std::string cure_for(Cause cause, std::string_view algorithm, std::string_view variant) {
  std::string text, last;
  for (const Cure& cure : cures) {
    if (cure.cause != cause || cure.algorithm == last) continue;
    last = cure.algorithm;
    if (!algorithm.empty() && algorithm != last) continue;
    const Cure* next = next_cure(cause, last, variant);
    if (next == nullptr) continue;
    text += (text.empty() ? "`" : ", `") + std::string(next->rung) + "`";
    if (algorithm.empty()) text += " (" + last + ")";
  }
  return text;
}

} // namespace ado
