// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stream of chunks as its variants see it, and the buffers that a chunk passes through.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/registry/algorithm.hpp>
#include <ado/registry/variant.hpp>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

namespace ado::bench {

/// Elements whose values one result sums.
inline constexpr std::size_t pipeline_group = 16;

constexpr std::size_t pipeline_results(std::size_t elements) {
  return ceil_div(elements, pipeline_group);
}

/// z in r = r z + p. It is 1, so that each step shows in the result. It is a function in another
/// file, so that no compiler knows its value.
double pipeline_factor();

/// The arrays of a call, all of them in host memory, and its sizes.
template <class T>
struct PipelineChunks {
  std::size_t chunks, elements, work; ///< elements of a chunk, steps of an element
  std::size_t results;                ///< of a chunk
  const T* raw;
  std::size_t raw_stride;
  const T* gain;
  T* result;
  std::size_t result_stride;
  T factor;

  explicit PipelineChunks(const Call& call)
      : chunks(call.shape[0]),
        elements(call.shape[1]),
        work(call.shape[2]),
        results(pipeline_results(elements)),
        raw(call.arrays[0].template as<const T>()),
        raw_stride(call.arrays[0].stride[0]),
        gain(call.arrays[1].template as<const T>()),
        result(call.arrays[2].template as<T>()),
        result_stride(call.arrays[2].stride[0]),
        factor(static_cast<T>(pipeline_factor())) {}

  const T* raw_of(std::size_t chunk) const { return raw + chunk * raw_stride; }
  T* result_of(std::size_t chunk) const { return result + chunk * result_stride; }
};

/// Bytes of a buffer for `count` numbers; the next one begins on a boundary of 256.
inline std::size_t pipeline_buffer_bytes(std::size_t count, Type type) {
  return round_up(checked_product({count, size_of(type)}, "a buffer of pipeline"), 256);
}

/// Bytes of `slots` slots, each of which holds a prepared chunk and its results.
inline std::size_t pipeline_slot_bytes(const Shape& shape, Type type, std::size_t slots) {
  if (shape[0] == 0) return 0;
  const std::size_t bytes = pipeline_buffer_bytes(shape[1], type) +
                            pipeline_buffer_bytes(pipeline_results(shape[1]), type);
  return checked_product({slots, bytes}, "the slots of pipeline");
}

/// Bytes of one prepared chunk.
inline std::size_t pipeline_chunk_bytes(const Shape& shape, Type type) {
  return shape[0] == 0 ? 0 : pipeline_buffer_bytes(shape[1], type);
}

/// Slots for all stages at once, with a chunk in each. On a CPU each stage has one. With a GPU, the
/// host stores and prepares in one slot. Of the chunks in the other three, one is waited for while
/// the next ones are handed over, copied in or queued. Let a chunk take l to be copied in, e from
/// there to its results on the host, and h of the host's time. The link then stays busy while e is
/// less than 2 l and e + h less than 3 l. A fifth slot, which raises both limits by one copy, made
/// no difference (H200, docs/lab/pipeline.md).
inline constexpr std::size_t pipeline_slots = 4;

/// Turns of a stream through the slots. In each turn a chunk is prepared, and the chunk that was in
/// its slot is stored.
constexpr std::size_t pipeline_turns(std::size_t chunks) {
  return chunks == 0 ? 0 : chunks + pipeline_slots;
}

/// The chunk that is `behind` turns behind chunk `turn`, if there is one.
constexpr std::optional<std::size_t> pipeline_chunk(std::size_t turn, std::size_t behind,
                                                    std::size_t chunks) {
  if (turn < behind || turn - behind >= chunks) return std::nullopt;
  return turn - behind;
}

/// A slot in host or device memory.
template <class T>
struct PipelineSlot {
  T *prepared, *results;

  /// Slot `index` in memory of pipeline_slot_bytes.
  PipelineSlot(void* memory, const Call& call, std::size_t index) {
    auto* start =
        static_cast<std::byte*>(memory) + index * pipeline_slot_bytes(call.shape, call.type, 1);
    prepared = reinterpret_cast<T*>(start);
    results = reinterpret_cast<T*>(start + pipeline_chunk_bytes(call.shape, call.type));
  }
};

/// Roundings on the longest path: one product, two a step, and a tree over a group.
inline double pipeline_rounding_steps(const Shape& shape) {
  return 1 + 2 * static_cast<double>(shape[2]) + 4;
}

/// What all variants of pipeline have in common.
struct PipelineVariant {
  static constexpr std::string_view algorithm = "pipeline";
  static constexpr TypeSet types = real_types;
};

} // namespace ado::bench
