// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/harness/stage_times.hpp>

#include <algorithm>
#include <numeric>

namespace ado {

std::vector<StageSpan> lane_of(const StageTimes& times, Stage stage) {
  std::vector<StageSpan> lane;
  for (const StageSpan& span : times.spans)
    if (span.stage == stage) lane.push_back(span);
  std::stable_sort(lane.begin(), lane.end(),
                   [](const StageSpan& a, const StageSpan& b) { return a.begin < b.begin; });
  double busy_until = 0;
  for (StageSpan& span : lane) {
    span.begin = std::max(span.begin, busy_until);
    span.end = std::max(span.end, span.begin);
    busy_until = span.end;
  }
  return lane;
}

StageSums sums_of(const StageTimes& times) {
  StageSums sums{.elapsed = times.elapsed};
  for (std::size_t k = 0; k < sums.seconds.size(); ++k)
    for (const StageSpan& span : lane_of(times, static_cast<Stage>(k)))
      sums.seconds[k] += span.end - span.begin;
  return sums;
}

double StageSums::overlap() const {
  return elapsed > 0 ? std::accumulate(seconds.begin(), seconds.end(), 0.0) / elapsed : 0;
}

Stage StageSums::limit() const {
  return static_cast<Stage>(std::max_element(seconds.begin(), seconds.end()) - seconds.begin());
}

double StageSums::limit_share() const { return elapsed > 0 ? of(limit()) / elapsed : 0; }

} // namespace ado
