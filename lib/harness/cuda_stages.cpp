// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/harness/cuda_check.hpp>
#include <ado/harness/cuda_stages.hpp>

#include <algorithm>

namespace ado {

/// Null where CUDA refuses: a device that has failed says so when the run ends, and this may be called
/// while an exception is on its way.
CudaStages::Event CudaStages::recorded(void* stream) {
  cudaEvent_t event{};
  if (cudaEventCreate(&event) != cudaSuccess) return {nullptr, cudaEventDestroy};
  Event owner(event, cudaEventDestroy);
  if (cudaEventRecord(event, static_cast<cudaStream_t>(stream)) != cudaSuccess) owner.reset();
  return owner;
}

CudaStages::CudaStages(cudaStream_t stream) : base_(nullptr, cudaEventDestroy), base_seconds_(0) {
  // The first event of a process takes long; of the second one's time the half is how far its place
  // on the host's clock is in doubt: some microseconds.
  for (int k = 0; k < 2; ++k) {
    const double before = HostStages::now();
    base_ = recorded(stream);
    if (!base_) throw Error("CUDA gave no event to measure stages with");
    check_cuda(cudaEventSynchronize(base_.get()), "waiting for an event");
    base_seconds_ = (before + HostStages::now()) / 2;
  }
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
  for (const Span& span : spans_)
    if (span.begin && span.end)
      times.spans.push_back(
          {span.stage, span.chunk, seconds_of(span.begin) - start, seconds_of(span.end) - start});
  return times;
}

} // namespace ado
