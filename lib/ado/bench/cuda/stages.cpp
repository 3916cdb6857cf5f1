// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/bench/cuda/check.hpp>
#include <ado/bench/cuda/stages.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace ado::bench {

/// Null if CUDA refuses: a failed device reports that when the run ends, and this may be called
/// while an exception is in flight.
CudaStages::Event CudaStages::recorded(void* stream) {
  Event event = idle_.empty() ? made() : std::move(idle_.back());
  if (!idle_.empty()) idle_.pop_back();
  if (event && cudaEventRecord(event.get(), static_cast<cudaStream_t>(stream)) != cudaSuccess)
    event.reset();
  return event;
}

CudaStages::Event CudaStages::made() {
  cudaEvent_t event{};
  if (cudaEventCreate(&event) != cudaSuccess) event = nullptr;
  return {event, cudaEventDestroy};
}

/// A process' first event is slow, and the host may be delayed after any of them. The shortest of
/// several tries places the event best on the host's clock, to within half its time.
CudaStages::CudaStages(cudaStream_t stream)
    : base_(nullptr, cudaEventDestroy), base_seconds_(0), doubt_(HUGE_VAL) {
  for (int k = 0; k < 16; ++k) {
    const double before = HostStages::now();
    Event event = recorded(stream);
    if (!event) throw Error("CUDA gave no event to measure stages with");
    check_cuda(cudaEventSynchronize(event.get()), "waiting for an event");
    const double after = HostStages::now();
    if ((after - before) / 2 >= doubt_) continue;
    base_ = std::move(event);
    base_seconds_ = (before + after) / 2;
    doubt_ = (after - before) / 2;
  }
  std::generate_n(std::back_inserter(idle_), events_beforehand, made);
  spans_.reserve(events_beforehand / 2);
}

void CudaStages::begin(Stage stage, std::size_t chunk, void* stream) {
  if (is_on_device(stage))
    spans_.push_back({stage, chunk, recorded(stream), Event(nullptr, cudaEventDestroy)});
  else
    host_.begin(stage, chunk, stream);
}

void CudaStages::end(Stage stage, std::size_t chunk, void* stream) {
  if (!is_on_device(stage)) return host_.end(stage, chunk, stream);
  const auto open = std::find_if(spans_.rbegin(), spans_.rend(), [&](const Span& span) {
    return span.stage == stage && span.chunk == chunk && !span.end;
  });
  if (open != spans_.rend()) open->end = recorded(stream);
}

double CudaStages::seconds_of(const Event& event) const {
  float milliseconds = 0;
  check_cuda(cudaEventElapsedTime(&milliseconds, base_.get(), event.get()), "reading an event");
  return base_seconds_ + 1e-3 * static_cast<double>(milliseconds);
}

StageTimes CudaStages::times(double start, double stop) const {
  StageTimes times = host_.times(start, stop);
  times.clocks_differ = doubt_;
  for (const Span& span : spans_)
    if (span.begin && span.end)
      times.spans.push_back(
          {span.stage, span.chunk, seconds_of(span.begin) - start, seconds_of(span.end) - start});
  return times;
}

} // namespace ado::bench
