// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, async_pageable: result[c][j] = sum over i in the j-th 16 of f(raw[c][i] * gain[c])
//   mapping   four slots, each with a buffer on the host and one on the device and a stream of its
//             own; all copies are asynchronous, and the host waits for a slot only when it needs it
//             again
//   scratch   four slots of a chunk and its results on the device and in ordinary host memory, from
//             the caller; the streams are made at the first call of a thread and live as long as it
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read; results pass through the slot
//   needs     a block size that fits
//   teaches   against host_overlap: asking for an asynchronous copy does not make one. The system
//             may move ordinary memory at any time, so the driver first copies it to memory of its
//             own, with the host's own hands, and the host waits in the call
#include <ado/cuda/variant.hpp>

#include <native_cuda/pipeline/slots.cuh>

namespace ado::bench::native {
namespace {

struct AsyncPageable : PipelineSlotsRung {
  static constexpr std::string_view name = "async_pageable";
  static constexpr std::string_view summary =
      "asynchronous copies of ordinary memory: they are not";

  template <class T>
  static void run(const Call& call, cudaStream_t) {
    const PipelineSteps<T> steps(call, "pipeline_async_pageable");
    const std::size_t chunks = steps.chunks.chunks;
    for (std::size_t c = 0; c < pipeline_turns(chunks); ++c) {
      const auto host = steps.staging(c % pipeline_slots);
      if (const auto before = pipeline_chunk(c, pipeline_slots, chunks)) {
        wait_for(steps, *before);
        steps.store(*before, host.results);
      }
      if (c >= chunks) continue;
      steps.prepare(c, host.prepared);
      hand_over(steps, c);
    }
  }
};
const CudaVariant<AsyncPageable> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
