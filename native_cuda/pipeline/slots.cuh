// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program of async_pageable and overlapped, which differ in the memory that the host's slots lie in.
// Their files have the cards.
#pragma once

#include <cuda_runtime.h>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/pipeline/steps.cuh>

#include <array>
#include <cstddef>
#include <map>

namespace ado::native {

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

/// Each slot has its own stream, on which its chunk's stages follow each other. The host waits for a slot
/// only when it needs it again, until its results are there.
template <class T>
void run_in_slots(const PipelineSteps<T>& steps) {
  const auto& streams = slot_streams();
  const std::size_t chunks = steps.chunks.chunks;
  for (std::size_t c = 0; c < chunks + pipeline_slots; ++c) {
    const std::size_t slot = c % pipeline_slots;
    const cudaStream_t stream = streams[slot];
    const PipelineSlot<T> host = steps.staging(slot), device = steps.device(slot);
    if (c >= pipeline_slots && c - pipeline_slots < chunks) {
      steps.wait(stream);
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
  template <class T>
  static std::size_t workspace_bytes(const Shape& shape) {
    return pipeline_slot_bytes(shape, type_of<T>(), pipeline_slots);
  }
  static std::size_t staging_bytes(const Shape& shape, Type type) {
    return pipeline_slot_bytes(shape, type, pipeline_slots);
  }
};

} // namespace ado::native
