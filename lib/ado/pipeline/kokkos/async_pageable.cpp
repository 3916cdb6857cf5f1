// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, kokkos, async_pageable: result[c][j] = sum over i in the j-th 16 of
// f(raw[c][i] * gain[c])
//   mapping   four slots, each with a buffer on the host and one on the device and an instance (a
//             stream) of its own; all copies are asynchronous, and the host waits for a slot only
//             when it needs it again
//   scratch   four slots of a chunk and its results on the device and in ordinary host memory, from
//             the caller; the instances are made once a process and given back by Kokkos::finalize
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read; results pass through the slot
//   needs     a team size that fits; on a host a team is one thread
//   teaches   against host_overlap: asking for an asynchronous copy does not make one. The system
//             may move ordinary memory at any time, so the driver first copies it to memory of its
//             own. The host itself does that, and waits in the call. On a CPU backend the host
//             copies anyway
#include <ado/pipeline/kokkos/slots.hpp>
#include <ado/portable/variant.hpp>

namespace ado::bench {

struct PipelineAsyncPageable : PipelineSlotsRung {
  static constexpr std::string_view name = "async_pageable";
  static constexpr std::string_view summary =
      "asynchronous copies of ordinary memory: they are not";

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      const PipelineSteps<Exec, decltype(zero)> steps(exec, call, name);
      const auto streams = instances_like<pipeline_slots>(exec);
      const std::size_t chunks = steps.stream.chunks;
      for (std::size_t c = 0; c < pipeline_turns(chunks); ++c) {
        const auto host = steps.staging(c % pipeline_slots);
        if (const auto before = pipeline_chunk(c, pipeline_slots, chunks)) {
          wait_for(streams, *before);
          steps.store(*before, host.results);
        }
        if (c >= chunks) continue;
        steps.prepare(c, host.prepared);
        hand_over(steps, streams, c);
      }
    });
  }
};
const PortableVariant<PipelineAsyncPageable> pipeline_async_pageable_registered{__FILE__};

} // namespace ado::bench
