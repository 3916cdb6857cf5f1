// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records device stages by CUDA events and host stages by the host's clock, on one time axis.
#pragma once

#include <ado/bench/device/host_stages.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace ado::bench {

/// Device stages are recorded by one thread, host stages by any thread.
class CudaStages : public StageRecorder {
public:
  /// `stream` must be idle. Throws Error if CUDA refuses an event.
  explicit CudaStages(cudaStream_t stream);

  void begin(Stage stage, std::size_t chunk, void* stream) override;
  void end(Stage stage, std::size_t chunk, void* stream) override;

  /// The stages of a run between two times of HostStages::now(), which the device must have
  /// finished. Throws Error if it failed.
  StageTimes times(double start, double stop) const;

private:
  using Event = std::unique_ptr<CUevent_st, cudaError_t (*)(cudaEvent_t)>;
  struct Span {
    Stage stage;
    std::size_t chunk;
    Event begin, end;
  };
  /// Made before the run, because making an event takes as long as recording it; more are made on
  /// demand.
  static constexpr std::size_t events_beforehand = 2048;
  static Event made();
  Event recorded(void* stream);
  double seconds_of(const Event& event) const;

  HostStages host_;
  std::vector<Event> idle_; ///< not recorded yet
  std::vector<Span> spans_;
  Event base_;
  double base_seconds_; ///< when base_ was recorded, by the host's clock
  double doubt_;        ///< possible error of that, in seconds
};

} // namespace ado::bench
