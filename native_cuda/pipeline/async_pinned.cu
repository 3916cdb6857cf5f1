// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, async_pinned: result[c][j] = sum over i in the j-th 16 of f(raw[c][i] * gain[c])
//   mapping   the host prepares a chunk while the one before is copied in, worked on and copied
//             out, one after the other on one stream; then it waits for that, launches its own, and
//             goes on
//   scratch   two slots of a chunk and its results in page-locked host memory, one on the device,
//             from the caller
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read; results pass through the slot
//   needs     a block size that fits
//   teaches   against async_pageable: page-locked memory stays where it is, so a copy engine
//             fetches it by itself, faster, and the host is free meanwhile. Left: on one stream the
//             link idles while the kernel runs, and the device while anything is copied
#include <ado/cuda/variant.hpp>

#include <native_cuda/pipeline/steps.cuh>

namespace ado::bench::native {
namespace {

struct AsyncPinned : PipelineRung {
  static constexpr std::string_view name = "async_pinned";
  static constexpr std::string_view summary = "page-locked memory, one stream: the host is free";
  static constexpr bool pageable_staging = false;

  static std::size_t staging_bytes(const Shape& shape, Type type) {
    return pipeline_slot_bytes(shape, type, 2);
  }

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const PipelineSteps<T> steps(call, "pipeline_async_pinned", Reader::copy_engine);
    const PipelineSlot<T> device = steps.device(0);
    const std::size_t chunks = steps.chunks.chunks;
    for (std::size_t c = 0; c < chunks; ++c) {
      const PipelineSlot<T> host = steps.staging(c % 2);
      steps.prepare(c, host.prepared);
      steps.wait(stream); // for the chunk before
      steps.copy_in(stream, c, device.prepared, host.prepared);
      steps.compute(stream, c, device.prepared, device.results);
      steps.copy_out(stream, c, host.results, device.results);
      if (c > 0) steps.store(c - 1, steps.staging((c - 1) % 2).results);
    }
    steps.wait(stream);
    if (chunks > 0) steps.store(chunks - 1, steps.staging((chunks - 1) % 2).results);
  }
};
const CudaVariant<AsyncPinned> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
