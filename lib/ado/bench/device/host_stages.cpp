// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/device/host_stages.hpp>

#include <algorithm>

namespace ado::bench {

double HostStages::now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void HostStages::begin(Stage stage, std::size_t chunk, void*) {
  const std::lock_guard lock(mutex_);
  spans_.push_back({stage, chunk, now(), -1});
}

void HostStages::end(Stage stage, std::size_t chunk, void*) {
  const double end = now();
  const std::lock_guard lock(mutex_);
  const auto open = std::find_if(spans_.rbegin(), spans_.rend(), [&](const StageSpan& span) {
    return span.stage == stage && span.chunk == chunk && span.end < 0;
  });
  if (open != spans_.rend()) open->end = end;
}

StageTimes HostStages::times(double start, double stop) const {
  StageTimes times{{}, stop - start, ""};
  for (const StageSpan& span : spans_)
    if (span.end >= 0)
      times.spans.push_back({span.stage, span.chunk, span.begin - start, span.end - start});
  return times;
}

} // namespace ado::bench
