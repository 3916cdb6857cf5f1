// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, host_overlap: result[c][j] = sum over i in the j-th 16 of f(raw[c][i] * gain[c])
//   mapping   as static_buffers, but the host prepares the next chunk between the launch of a
//             kernel and the copy that waits for it
//   scratch   one chunk and its results on the device, one chunk on the host, from the caller
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read
//   needs     a block size that fits
//   teaches   against static_buffers: a launch returns at once, and what stands behind it costs
//             nothing as long as the kernel runs. Left: during a copy the host waits, and the
//             device too
#include <ado/cuda/variant.hpp>

#include <native_cuda/pipeline/steps.cuh>

namespace ado::bench::native {
namespace {

struct HostOverlap : PipelineRung {
  static constexpr std::string_view name = "host_overlap";
  static constexpr std::string_view summary = "prepares the next chunk while the kernel runs";

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const PipelineSteps<T> steps(call, "pipeline_host_overlap");
    const PipelineSlot<T> device = steps.device(0);
    T* const staging = static_cast<T*>(call.staging);
    const std::size_t chunks = steps.chunks.chunks;
    if (chunks > 0) steps.prepare(0, staging);
    for (std::size_t c = 0; c < chunks; ++c) {
      steps.copy_in_and_wait(stream, c, device.prepared, staging);
      steps.compute(stream, c, device.prepared, device.results);
      if (c + 1 < chunks) steps.prepare(c + 1, staging);
      steps.copy_out_and_wait(stream, c, steps.chunks.result_of(c), device.results);
    }
  }
};
const CudaVariant<HostOverlap> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
