// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slots of async_pageable and overlapped, and what the device does in one. Their files have the
// cards.
#pragma once

#include <cuda_runtime.h>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/pipeline/steps.cuh>

#include <array>
#include <cstddef>
#include <map>

namespace ado::bench::native {

/// The streams of the slots. The first use on a device makes them, which takes longer than a chunk;
/// each host thread has its own, until it ends.
inline const std::array<cudaStream_t, pipeline_slots>& slot_streams() {
  struct Streams {
    std::array<cudaStream_t, pipeline_slots> streams{};
    Streams() {
      for (cudaStream_t& stream : streams)
        check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
    }
    ~Streams() {
      for (const cudaStream_t stream : streams)
        static_cast<void>(cudaStreamDestroy(stream)); // CUDA may have ended before
    }
  };
  thread_local std::map<int, Streams> of_device;
  int device = 0;
  check(cudaGetDevice(&device), "asking for the device");
  return of_device[device].streams;
}

/// Has the device do all that is its part of a prepared chunk, on the stream of its slot.
template <class T>
void hand_over(const PipelineSteps<T>& steps, std::size_t chunk) {
  const std::size_t slot = chunk % pipeline_slots;
  const cudaStream_t stream = slot_streams()[slot];
  const PipelineSlot<T> host = steps.staging(slot), device = steps.device(slot);
  steps.copy_in(stream, chunk, device.prepared, host.prepared);
  steps.compute(stream, chunk, device.prepared, device.results);
  steps.copy_out(stream, chunk, host.results, device.results);
}

/// Until the chunk's results are in the host's slot.
template <class T>
void wait_for(const PipelineSteps<T>& steps, std::size_t chunk) {
  steps.wait(slot_streams()[chunk % pipeline_slots]);
}

/// Of those rungs.
struct PipelineSlotsRung : PipelineRung {
  template <class T>
  static std::size_t workspace_bytes(const Shape& shape) {
    return pipeline_slot_bytes(shape, type_of<T>(), pipeline_slots);
  }
  static std::size_t staging_bytes(const Shape& shape, Type type) {
    return pipeline_slot_bytes(shape, type, pipeline_slots);
  }
};

} // namespace ado::bench::native
