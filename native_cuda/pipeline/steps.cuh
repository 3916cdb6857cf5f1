// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps that the rungs are made of. What tells the rungs apart is their order, who waits for
// whom, and in what memory.
#pragma once

#include <ado/pipeline/chunks.hpp>
#include <ado/pipeline/prepare.hpp>
#include <ado/registry/stages.hpp>

#include <cuda_runtime.h>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/pipeline/kernel.cuh>

#include <cstddef>

namespace ado::bench::native {

template <class T>
class PipelineSteps {
public:
  /// `reader`: of what prepare() writes. Throws InvalidArgument where no block fits, before
  /// anything is copied.
  PipelineSteps(const Call& call, const char* name, Reader reader = Reader::core)
      : chunks(call), call_(call), name_(name), reader_(reader) {
    static_cast<void>(block_size(name, pipeline_kernel<T>, call.launch, pipeline_threads));
  }

  const PipelineChunks<T> chunks;

  /// The slots of a call that has room for them.
  PipelineSlot<T> staging(std::size_t slot) const { return {call_.staging, call_, slot}; }
  PipelineSlot<T> device(std::size_t slot) const { return {call_.workspace, call_, slot}; }
  StageScope scope(Stage stage, std::size_t chunk) const { return {call_.stages, stage, chunk}; }

  /// The host's own work, on all its threads.
  void prepare(std::size_t chunk, T* to) const {
    const StageScope timed = scope(Stage::prepare, chunk);
    prepare_chunk(chunks, chunk, to, call_.queue.threads, reader_);
  }
  /// Asynchronous on `stream`, as far as the host's memory allows.
  void copy_in(cudaStream_t stream, std::size_t chunk, T* to, const T* from) const {
    const StageScope timed(call_.stages, Stage::copy_in, chunk, stream);
    check(cudaMemcpyAsync(to, from, chunks.elements * sizeof(T), cudaMemcpyHostToDevice, stream),
          "copying a chunk in");
  }
  void copy_out(cudaStream_t stream, std::size_t chunk, T* to, const T* from) const {
    const StageScope timed(call_.stages, Stage::copy_out, chunk, stream);
    check(cudaMemcpyAsync(to, from, chunks.results * sizeof(T), cudaMemcpyDeviceToHost, stream),
          "copying results out");
  }
  /// Those return when the copy is done, which begins when all before it on the stream is.
  void copy_in_and_wait(cudaStream_t stream, std::size_t chunk, T* to, const T* from) const {
    copy_in(stream, chunk, to, from);
    wait(stream);
  }
  void copy_out_and_wait(cudaStream_t stream, std::size_t chunk, T* to, const T* from) const {
    copy_out(stream, chunk, to, from);
    wait(stream);
  }
  /// Asynchronous on `stream`.
  void compute(cudaStream_t stream, std::size_t chunk, const T* prepared, T* results) const {
    const StageScope timed(call_.stages, Stage::compute, chunk, stream);
    launch_results(name_, stream, call_.launch, chunks, prepared, results);
  }
  /// From staging memory to the result's row, on all threads of the host.
  void store(std::size_t chunk, const T* from) const {
    const StageScope timed = scope(Stage::store, chunk);
    store_results(chunks, chunk, from, call_.queue.threads);
  }
  static void wait(cudaStream_t stream) {
    check(cudaStreamSynchronize(stream), "waiting for a stream of pipeline");
  }

private:
  const Call& call_;
  const char* name_;
  Reader reader_;
};

/// What the rungs have in common: a block size, and buffers for one chunk each in ordinary host
/// memory and on the device.
struct PipelineRung : PipelineVariant {
  static constexpr bool takes_team_size = true;
  static constexpr bool pageable_staging = true;

  template <class T>
  static std::size_t workspace_bytes(const Shape& shape) {
    return pipeline_slot_bytes(shape, type_of<T>(), 1);
  }
  static std::size_t staging_bytes(const Shape& shape, Type type) {
    return pipeline_chunk_bytes(shape, type);
  }
  template <class T>
  static double rounding_steps(const Shape& shape) {
    return pipeline_rounding_steps(shape);
  }

protected:
  template <class T>
  static constexpr Type type_of() {
    return sizeof(T) == 4 ? Type::f32 : Type::f64;
  }
};

} // namespace ado::bench::native
