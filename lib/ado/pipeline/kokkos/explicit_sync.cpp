// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, kokkos, explicit_sync: result[c][j] = sum over i in the j-th 16 of
// f(raw[c][i] * gain[c])
//   mapping   as static_buffers, and the host waits for the device after each step
//   scratch   one chunk and its results on the device, one chunk on the host, from the caller
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read
//   needs     a team size that fits; on a host a team is one thread
//   teaches   against malloc_in_loop: buffers that live as long as the program cost nothing per
//             chunk. What remains: fences that nobody needs. Each is a round trip to the device,
//             some microseconds, which shows when chunks are small
#include <ado/pipeline/kokkos/steps.hpp>
#include <ado/portable/variant.hpp>

namespace ado::bench {

struct PipelineExplicitSync : PipelineRung {
  static constexpr std::string_view name = "explicit_sync";
  static constexpr std::string_view summary = "the host waits after each step";

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
        Kokkos::fence("ado::pipeline: copied in");
        steps.compute(exec, c, device.prepared, device.results);
        Kokkos::fence("ado::pipeline: computed");
        steps.copy_out_and_wait(exec, c, steps.stream.result_of(c), device.results);
        Kokkos::fence("ado::pipeline: copied out");
      }
    });
  }
};
const PortableVariant<PipelineExplicitSync> pipeline_explicit_sync_registered{__FILE__};

} // namespace ado::bench
