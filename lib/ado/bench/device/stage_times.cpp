// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/device/stage_times.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace ado::bench {

namespace {

template <class Wanted>
std::vector<StageSpan> lane_where(const StageTimes& times, const Wanted& wanted) {
  std::vector<StageSpan> lane;
  std::copy_if(times.spans.begin(), times.spans.end(), std::back_inserter(lane),
               [&](const StageSpan& span) { return wanted(span.stage); });
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

double seconds_of(const std::vector<StageSpan>& lane) {
  return std::accumulate(lane.begin(), lane.end(), 0.0, [](double sum, const StageSpan& span) {
    return sum + (span.end - span.begin);
  });
}

} // namespace

std::vector<StageSpan> lane_of(const StageTimes& times, Stage stage) {
  return lane_where(times, [stage](Stage other) { return other == stage; });
}

StageSums sums_of(const StageTimes& times) {
  StageSums sums{.elapsed = times.elapsed};
  for (std::size_t k = 0; k < sums.seconds.size(); ++k)
    sums.seconds[k] = seconds_of(lane_of(times, static_cast<Stage>(k)));
  sums.host = seconds_of(lane_where(times, [](Stage stage) { return !is_on_device(stage); }));
  return sums;
}

double StageSums::overlap() const {
  return elapsed > 0 ? std::accumulate(seconds.begin(), seconds.end(), 0.0) / elapsed : 0;
}

Stage StageSums::longest_of_device() const {
  return std::max({Stage::copy_in, Stage::compute, Stage::copy_out},
                  [&](Stage a, Stage b) { return of(a) < of(b); });
}

std::string_view StageSums::limit() const {
  return host > of(longest_of_device()) ? "host" : name_of(longest_of_device());
}

double StageSums::limit_share() const {
  return elapsed > 0 ? std::max(host, of(longest_of_device())) / elapsed : 0;
}

} // namespace ado::bench
