// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, kokkos, static_buffers: result[c][j] = sum over i in the j-th 16 of
// f(raw[c][i] * gain[c])
//   mapping   the host prepares a chunk in ordinary memory, copies it in, launches the kernel and
//             copies its results out, to where they belong; then the next one. Kernel: lane = a
//             result, 16 elements side by side
//   scratch   one chunk and its results on the device, one chunk on the host, from the caller
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read
//   needs     a team size that fits; on a host a team is one thread
//   teaches   against explicit_sync: a copy out waits by itself for the kernel before it, so no
//             fence of your own is needed. What remains: at any time one of host, link and device
//             works, and two wait
#include <ado/pipeline/kokkos/steps.hpp>
#include <ado/portable/variant.hpp>

namespace ado::bench {

struct PipelineStaticBuffers : PipelineRung {
  static constexpr std::string_view name = "static_buffers";
  static constexpr std::string_view summary = "one stage at a time, buffers allocated once";

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const PipelineSteps<Exec, T> steps(exec, call, name);
      const PipelineSlot<T> device = steps.device(0);
      T* const staging = static_cast<T*>(call.staging);
      for (std::size_t c = 0; c < steps.stream.chunks; ++c) {
        steps.prepare(c, staging);
        steps.copy_in_and_wait(exec, c, device.prepared, staging);
        steps.compute(exec, c, device.prepared, device.results);
        steps.copy_out_and_wait(exec, c, steps.stream.result_of(c), device.results);
      }
    });
  }
};
const PortableVariant<PipelineStaticBuffers> pipeline_static_buffers_registered{__FILE__};

} // namespace ado::bench
