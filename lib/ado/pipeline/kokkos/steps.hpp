// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps that the portable rungs are made of. The rungs differ in the order of the steps, in who
// waits for whom, and in the kind of memory.
#pragma once

#include <ado/pipeline/chunks.hpp>
#include <ado/pipeline/kokkos/kernel.hpp>
#include <ado/pipeline/prepare.hpp>
#include <ado/portable/launch.hpp>
#include <ado/registry/stages.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace ado::bench {

/// Host memory that a copy engine can reach by itself: page-locked where there is one.
template <class Exec>
using LockedSpace =
    std::conditional_t<runs_on_host<Exec>, Kokkos::HostSpace, Kokkos::SharedHostPinnedSpace>;

/// The stream that an instance launches on; null on a host.
template <class Exec>
void* stream_of([[maybe_unused]] const Exec& exec) {
#ifdef KOKKOS_ENABLE_CUDA
  if constexpr (std::is_same_v<Exec, Kokkos::Cuda>) return exec.cuda_stream();
#endif
  return nullptr;
}

/// `Host`: the memory space of what is copied from and to.
template <class Exec, class T, class Host = Kokkos::HostSpace>
class PipelineSteps {
  template <class Space, class Byte>
  using Bytes = Kokkos::View<Byte*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Device = typename Exec::memory_space;

public:
  /// Throws InvalidArgument where no team fits, before anything is copied.
  PipelineSteps(const Exec& exec, const Call& call, std::string_view variant)
      : stream(call), call_(call), label_("ado::pipeline[" + std::string(variant) + "]") {
    static_cast<void>(
        pipeline_teams(label_.c_str(), exec, call.launch, 1, PipelineKernel<Exec, T>{}));
  }

  const PipelineChunks<T> stream;

  /// The slots of a call that has room for them.
  PipelineSlot<T> staging(std::size_t slot) const { return {call_.staging, call_, slot}; }
  PipelineSlot<T> device(std::size_t slot) const { return {call_.workspace, call_, slot}; }
  StageScope scope(Stage stage, std::size_t chunk) const { return {call_.stages, stage, chunk}; }

  /// The host's own work, on all its threads.
  void prepare(std::size_t chunk, T* to) const {
    const StageScope timed = scope(Stage::prepare, chunk);
    constexpr bool locked = !runs_on_host<Exec> && !std::is_same_v<Host, Kokkos::HostSpace>;
    prepare_chunk(stream, chunk, to, call_.queue.threads,
                  locked ? Reader::copy_engine : Reader::core);
  }
  /// Asynchronous on `on`.
  void copy_in(const Exec& on, std::size_t chunk, T* to, const T* from) const {
    const StageScope timed(call_.stages, Stage::copy_in, chunk, stream_of(on));
    Kokkos::deep_copy(on, bytes<Device>(to, stream.elements), bytes<Host>(from, stream.elements));
  }
  void copy_out(const Exec& on, std::size_t chunk, T* to, const T* from) const {
    const StageScope timed(call_.stages, Stage::copy_out, chunk, stream_of(on));
    Kokkos::deep_copy(on, bytes<Host>(to, stream.results), bytes<Device>(from, stream.results));
  }
  /// These begin when everything launched before is done, and return when the copy is done.
  void copy_in_and_wait(const Exec& on, std::size_t chunk, T* to, const T* from) const {
    const StageScope timed(call_.stages, Stage::copy_in, chunk, stream_of(on));
    Kokkos::deep_copy(bytes<Device>(to, stream.elements), bytes<Host>(from, stream.elements));
  }
  void copy_out_and_wait(const Exec& on, std::size_t chunk, T* to, const T* from) const {
    const StageScope timed(call_.stages, Stage::copy_out, chunk, stream_of(on));
    Kokkos::deep_copy(bytes<Host>(to, stream.results), bytes<Device>(from, stream.results));
  }
  /// Asynchronous on `on`.
  void compute(const Exec& on, std::size_t chunk, const T* prepared, T* results) const {
    const StageScope timed(call_.stages, Stage::compute, chunk, stream_of(on));
    launch_results(label_.c_str(), on, call_.launch, stream, prepared, results);
  }
  /// From staging memory to the result's row, on all threads of the host.
  void store(std::size_t chunk, const T* from) const {
    const StageScope timed = scope(Stage::store, chunk);
    store_results(stream, chunk, from, call_.queue.threads);
  }

private:
  template <class Space>
  static auto bytes(T* data, std::size_t count) {
    return Bytes<Space, std::byte>(reinterpret_cast<std::byte*>(data), count * sizeof(T));
  }
  template <class Space>
  static auto bytes(const T* data, std::size_t count) {
    return Bytes<Space, const std::byte>(reinterpret_cast<const std::byte*>(data),
                                         count * sizeof(T));
  }

  const Call& call_;
  std::string label_;
};

/// What the portable rungs have in common: a team size, and buffers for one chunk each in ordinary
/// host memory and on the device.
struct PipelineRung : PipelineVariant {
  static constexpr bool takes_team_size = true;
  static constexpr bool pageable_staging = true;

  static std::size_t workspace_bytes(const Shape& shape, Type type) {
    return pipeline_slot_bytes(shape, type, 1);
  }
  static std::size_t staging_bytes(const Shape& shape, Type type) {
    return pipeline_chunk_bytes(shape, type);
  }
  static double rounding_steps(const Shape& shape, Type) { return pipeline_rounding_steps(shape); }
};

} // namespace ado::bench
