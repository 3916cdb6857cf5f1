// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A recorder of stages by CUDA's events, and of the host's by its clock, on one axis.
#pragma once

#include <ado/bench/device/host_stages.hpp>

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <vector>

namespace ado {

/// The stages of the device are one thread's to record, those of the host any thread's.
class CudaStages : public StageRecorder {
public:
  /// `stream` must be idle. Throws Error where CUDA refuses an event.
  explicit CudaStages(cudaStream_t stream);

  void begin(Stage stage, std::size_t chunk, void* stream) override;
  void end(Stage stage, std::size_t chunk, void* stream) override;

  /// Of a run between two times of HostStages::now(). The device must have ended it. Throws Error where
  /// it failed.
  StageTimes times(double start, double stop) const;

private:
  using Event = std::unique_ptr<CUevent_st, cudaError_t (*)(cudaEvent_t)>;
  struct Span {
    Stage stage;
    std::size_t chunk;
    Event begin, end;
  };
  /// Made before the run, for making one takes as long as recording it; beyond so many they are made when needed.
  static constexpr std::size_t events_beforehand = 2048;
  static Event made();
  Event recorded(void* stream);
  double seconds_of(const Event& event) const;

  HostStages host_;
  std::vector<Event> idle_; ///< not recorded yet
  std::vector<Span> spans_;
  Event base_;
  double base_seconds_; ///< of the event, by the host's clock
  double doubt_;        ///< seconds by which that may be wrong
};

} // namespace ado
