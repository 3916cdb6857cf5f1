// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program of async_pageable and overlapped, which differ in the memory that the host's slots lie in.
// Their files have the cards.
#pragma once

#include <ado/pipeline/host_turns.hpp>
#include <ado/pipeline/instances.hpp>
#include <ado/pipeline/steps.hpp>

#include <cstddef>

namespace ado {

/// Each slot has its own stream, on which its chunk's stages follow each other. The host waits for a slot
/// only when it needs it again, until its results are there.
template <class Exec, class T, class Host>
void run_in_slots(const Exec& exec, const PipelineSteps<Exec, T, Host>& steps) {
  const auto streams = instances_like<pipeline_slots>(exec);
  const std::size_t chunks = steps.stream.chunks;
  for (std::size_t c = 0; c < chunks + pipeline_slots; ++c) {
    const std::size_t slot = c % pipeline_slots;
    const Exec& stream = streams[slot];
    const PipelineSlot<T> host = steps.staging(slot), device = steps.device(slot);
    if (c >= pipeline_slots && c - pipeline_slots < chunks) {
      stream.fence("ado::pipeline: a slot is free");
      steps.store(c - pipeline_slots, host.results);
    }
    if (c >= chunks) continue;
    steps.prepare(c, host.prepared);
    steps.copy_in(stream, c, device.prepared, host.prepared);
    steps.compute(stream, c, device.prepared, device.results);
    steps.copy_out(stream, c, host.results, device.results);
  }
}

/// Of those rungs.
struct PipelineSlotsRung : PipelineRung {
  static std::size_t workspace_bytes(const Shape& shape, Type type) {
    return pipeline_slot_bytes(shape, type, pipeline_slots);
  }
  static std::size_t staging_bytes(const Shape& shape, Type type) {
    return pipeline_slot_bytes(shape, type, pipeline_slots);
  }
};

} // namespace ado
