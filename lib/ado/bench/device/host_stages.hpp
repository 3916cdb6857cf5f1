// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recorder of stages by the host's clock.
#pragma once

#include <ado/bench/device/stage_times.hpp>

#include <chrono>
#include <cstddef>
#include <mutex>

namespace ado {

/// The stages of one run. A chunk may pass through a stage several times, but not at once.
class HostStages : public StageRecorder {
public:
  void begin(Stage stage, std::size_t chunk, void* stream) override;
  void end(Stage stage, std::size_t chunk, void* stream) override;

  /// Seconds of a clock that never goes back.
  static double now();
  /// What has ended, of a run between two times of that clock.
  StageTimes times(double start, double stop) const;

private:
  std::mutex mutex_;
  std::vector<StageSpan> spans_; ///< by that clock; a negative end: not ended yet
};

} // namespace ado
