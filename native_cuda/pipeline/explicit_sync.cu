// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, explicit_sync: result[c][j] = sum over i in the j-th 16 of f(raw[c][i] * gain[c])
//   mapping   as static_buffers, and the host waits for the whole device after each step
//   scratch   one chunk and its results on the device, one chunk on the host, from the caller
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read
//   needs     a block size that fits
//   teaches   against malloc_in_loop: buffers that live as long as the program cost nothing a
//             chunk. Left: fences that nobody needs. Each is a round trip to the device, some
//             microseconds, which shows where chunks are small
#include <ado/cuda/variant.hpp>

#include <native_cuda/pipeline/steps.cuh>

namespace ado::bench::native {
namespace {

struct ExplicitSync : PipelineRung {
  static constexpr std::string_view name = "explicit_sync";
  static constexpr std::string_view summary = "the host waits after each step";

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const PipelineSteps<T> steps(call, "pipeline_explicit_sync");
    const PipelineSlot<T> device = steps.device(0);
    T* const staging = static_cast<T*>(call.staging);
    for (std::size_t c = 0; c < steps.chunks.chunks; ++c) {
      steps.prepare(c, staging);
      steps.copy_in_and_wait(stream, c, device.prepared, staging);
      check(cudaDeviceSynchronize(), "waiting for a chunk");
      steps.compute(stream, c, device.prepared, device.results);
      check(cudaDeviceSynchronize(), "waiting for a kernel");
      steps.copy_out_and_wait(stream, c, steps.chunks.result_of(c), device.results);
      check(cudaDeviceSynchronize(), "waiting for results");
    }
  }
};
const CudaVariant<ExplicitSync> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
