// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/measure/limiter.hpp>
#include <ado/registry/registry.hpp>

#include <algorithm>
#include <cmath>

namespace ado::bench {
namespace {

bool cures(const Algorithm& algorithm, std::string_view rung, Cause cause) {
  return std::any_of(variants().begin(), variants().end(), [&](const Variant& v) {
    return v.algorithm == algorithm.name && v.name == rung &&
           std::find(v.cures.begin(), v.cures.end(), cause) != v.cures.end();
  });
}

/// The ladder's first rung that cures it above `variant`, if that is a rung or a form of one
/// (`x_left` is one of `x`); empty: none.
std::string_view next_cure(Cause cause, const Algorithm& algorithm, std::string_view variant) {
  std::string_view next;
  for (const std::string_view rung : algorithm.ladder) {
    if (variant == rung || (variant.starts_with(rung) && cures(algorithm, rung, cause)))
      next = "";
    else if (next.empty() && cures(algorithm, rung, cause))
      next = rung;
  }
  return next;
}

} // namespace

const std::vector<LimiterName>& limiter_names() {
  static const std::vector<LimiterName> names{
      {"memory", "Memory is at 60 % or more of what it can do, and 10 points or more busier than "
                 "arithmetic. Moving fewer bytes helps: reuse what was read, narrower types."},
      {"compute", "Arithmetic is at 60 % or more of what it can do, and 10 points or more busier "
                  "than memory. Fewer or cheaper operations help."},
      {"balanced", "Memory and arithmetic are both near 60 % or more, less than 10 points apart. "
                   "Making one of them cheaper alone helps little."},
      {"latency",
       "Neither memory nor arithmetic reaches 60 %: the kernel waits, for memory to answer, at "
       "barriers, for launches, or on chip, for bank conflicts and uncoalesced accesses, which the "
       "bytes of a formula do not show. More bytes in flight help; --diagnose tells which."},
      {"small grid",
       "Said with latency: the blocks do not fill the GPU once. More teams, or fewer rows a team."},
      {"near the roof", "Said with memory or compute: 80 % or more. Only work that goes elsewhere "
                        "helps: fewer bytes, or another unit."},
      {"link",
       "Of a stream of chunks on a GPU: the link between host and device is at 60 % or more of "
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
  std::string text;
  for (const Algorithm& a : algorithms()) {
    if (!algorithm.empty() && algorithm != a.name) continue;
    const std::string_view next = next_cure(cause, a, variant);
    if (next.empty()) continue;
    text += (text.empty() ? "`" : ", `") + std::string(next) + "`";
    if (algorithm.empty()) text += " (" + std::string(a.name) + ")";
  }
  return text;
}

} // namespace ado::bench
