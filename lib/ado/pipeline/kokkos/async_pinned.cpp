// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pipeline, kokkos, async_pinned: result[c][j] = sum over i in the j-th 16 of
// f(raw[c][i] * gain[c])
//   mapping   the host prepares a chunk while the previous one is copied in, worked on and copied
//             out, one after the other on one stream. Then the host waits for that stream, launches
//             its own chunk, and goes on
//   scratch   two slots of a chunk and its results in page-locked host memory, one on the device,
//             from the caller
//   bytes     reads raw and gain once, writes result once; a prepared chunk is written, copied,
//             read; results pass through the slot
//   needs     a team size that fits; on a host a team is one thread
//   teaches   against async_pageable: page-locked memory stays where it is, so a copy engine
//             fetches it by itself, faster, and the host is free meanwhile. What remains: on one
//             stream the link idles while the kernel runs, and the device idles while anything is
//             copied. On a CPU backend nothing is asynchronous
#include <ado/pipeline/kokkos/steps.hpp>
#include <ado/portable/variant.hpp>

namespace ado::bench {

struct PipelineAsyncPinned : PipelineRung {
  static constexpr std::string_view name = "async_pinned";
  static constexpr std::string_view summary = "page-locked memory, one stream: the host is free";
  static constexpr bool pageable_staging = false;

  static std::size_t staging_bytes(const Shape& shape, Type type) {
    return pipeline_slot_bytes(shape, type, 2);
  }

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const PipelineSteps<Exec, T, LockedSpace<Exec>> steps(exec, call, name);
      const PipelineSlot<T> device = steps.device(0);
      const std::size_t chunks = steps.stream.chunks;
      for (std::size_t c = 0; c < chunks; ++c) {
        const PipelineSlot<T> host = steps.staging(c % 2);
        steps.prepare(c, host.prepared);
        exec.fence("ado::pipeline: the chunk before is done");
        steps.copy_in(exec, c, device.prepared, host.prepared);
        steps.compute(exec, c, device.prepared, device.results);
        steps.copy_out(exec, c, host.results, device.results);
        if (c > 0) steps.store(c - 1, steps.staging((c - 1) % 2).results);
      }
      exec.fence("ado::pipeline: the last chunk is done");
      if (chunks > 0) steps.store(chunks - 1, steps.staging((chunks - 1) % 2).results);
    });
  }
};
const PortableVariant<PipelineAsyncPinned> pipeline_async_pinned_registered{__FILE__};

} // namespace ado::bench
