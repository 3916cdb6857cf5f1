// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, kokkos, host_overlap: result[c][j] = sum over i in the j-th 16 of
// f(raw[c][i] * gain[c])
//   mapping   as static_buffers, but the host prepares the next chunk between the launch of a
//             kernel and the copy that waits for it
//   scratch   one chunk and its results on the device, one chunk on the host, from the caller
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read
//   needs     a team size that fits; on a host a team is one thread
//   teaches   against static_buffers: a launch returns at once, and what comes after it costs
//             nothing while the kernel runs. What remains: during a copy the host waits, and so
//             does the device. On a CPU backend a launch returns when its kernel has ended, and
//             nothing is gained
#include <ado/pipeline/kokkos/steps.hpp>
#include <ado/portable/variant.hpp>

namespace ado::bench {

struct PipelineHostOverlap : PipelineRung {
  static constexpr std::string_view name = "host_overlap";
  static constexpr std::string_view summary = "prepares the next chunk while the kernel runs";

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const PipelineSteps<Exec, T> steps(exec, call, name);
      const PipelineSlot<T> device = steps.device(0);
      T* const staging = static_cast<T*>(call.staging);
      const std::size_t chunks = steps.stream.chunks;
      if (chunks > 0) steps.prepare(0, staging);
      for (std::size_t c = 0; c < chunks; ++c) {
        steps.copy_in_and_wait(exec, c, device.prepared, staging);
        steps.compute(exec, c, device.prepared, device.results);
        if (c + 1 < chunks) steps.prepare(c + 1, staging);
        steps.copy_out_and_wait(exec, c, steps.stream.result_of(c), device.results);
      }
    });
  }
};
const PortableVariant<PipelineHostOverlap> pipeline_host_overlap_registered{__FILE__};

} // namespace ado::bench
