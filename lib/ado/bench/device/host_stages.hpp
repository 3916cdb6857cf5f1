// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recorder of stages by the host's clock.
#pragma once

#include <ado/bench/device/stage_times.hpp>

#include <chrono>
#include <cstddef>
#include <mutex>

namespace ado::bench {

/// The stages of one run. A chunk may pass a stage several times, but not concurrently.
class HostStages : public StageRecorder {
public:
  void begin(Stage stage, std::size_t chunk, void* stream) override;
  void end(Stage stage, std::size_t chunk, void* stream) override;

  /// Seconds of a monotonic clock.
  static double now();
  /// The finished stages of a run between two times of that clock.
  StageTimes times(double start, double stop) const;

private:
  std::mutex mutex_;
  std::vector<StageSpan> spans_; ///< by that clock; a negative end: still running
};

} // namespace ado::bench
