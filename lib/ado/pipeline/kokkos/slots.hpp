// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slots of async_pageable and overlapped, and what the device does in one. Their files have the
// cards.
#pragma once

#include <ado/pipeline/kokkos/instances.hpp>
#include <ado/pipeline/kokkos/steps.hpp>

#include <cstddef>
#include <vector>

namespace ado::bench {

/// Has the device do its whole part of a prepared chunk, on the stream of the chunk's slot.
template <class Exec, class T, class Host>
void hand_over(const PipelineSteps<Exec, T, Host>& steps, const std::vector<Exec>& streams,
               std::size_t chunk) {
  const std::size_t slot = chunk % pipeline_slots;
  const PipelineSlot<T> host = steps.staging(slot), device = steps.device(slot);
  steps.copy_in(streams[slot], chunk, device.prepared, host.prepared);
  steps.compute(streams[slot], chunk, device.prepared, device.results);
  steps.copy_out(streams[slot], chunk, host.results, device.results);
}

/// Waits until the chunk's results are in the host's slot.
template <class Exec>
void wait_for(const std::vector<Exec>& streams, std::size_t chunk) {
  streams[chunk % pipeline_slots].fence("ado::pipeline: results are there");
}

/// What those rungs have in common.
struct PipelineSlotsRung : PipelineRung {
  static std::size_t workspace_bytes(const Shape& shape, Type type) {
    return pipeline_slot_bytes(shape, type, pipeline_slots);
  }
  static std::size_t staging_bytes(const Shape& shape, Type type) {
    return pipeline_slot_bytes(shape, type, pipeline_slots);
  }
};

} // namespace ado::bench
