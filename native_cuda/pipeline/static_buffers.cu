// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, static_buffers: result[c][j] = sum over i in the j-th 16 of f(raw[c][i] * gain[c])
//   mapping   the host prepares a chunk in ordinary memory, copies it in, launches the kernel and
//             copies its results out, to where they belong; then the next one. Kernel: thread = a
//             result, 16 elements side by side
//   scratch   one chunk and its results on the device, one chunk on the host, from the caller
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read
//   needs     a block size that fits
//   teaches   against explicit_sync: copy, kernel and copy are on one stream, so each waits for the
//             one before by itself, and the host waits once, for the results. Left: at any time one
//             of host, link and device works, and two wait
#include <ado/cuda/variant.hpp>

#include <native_cuda/pipeline/steps.cuh>

namespace ado::bench::native {
namespace {

struct StaticBuffers : PipelineRung {
  static constexpr std::string_view name = "static_buffers";
  static constexpr std::string_view summary = "one stage at a time, buffers allocated once";

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const PipelineSteps<T> steps(call, "pipeline_static_buffers");
    const PipelineSlot<T> device = steps.device(0);
    T* const staging = static_cast<T*>(call.staging);
    for (std::size_t c = 0; c < steps.chunks.chunks; ++c) {
      steps.prepare(c, staging);
      steps.copy_in_and_wait(stream, c, device.prepared, staging);
      steps.compute(stream, c, device.prepared, device.results);
      steps.copy_out_and_wait(stream, c, steps.chunks.result_of(c), device.results);
    }
  }
};
const CudaVariant<StaticBuffers> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
