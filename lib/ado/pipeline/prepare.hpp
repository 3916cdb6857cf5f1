// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's own work on a chunk.
#pragma once

#include <ado/pipeline/chunks.hpp>

#include <cstddef>
#include <functional>

namespace ado::bench {

/// to[i] = raw[i] * gain for first <= i < last, on the calling thread.
template <class T>
void prepare_elements(const T* raw, T gain, T* to, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i)
    to[i] = raw[i] * gain;
}

/// Who reads a prepared chunk next. A core finds it in its own caches. A device's copy engine
/// should find it in the cache that the cores share, and not have to ask the caches of the cores
/// that wrote it.
enum class Reader { core, copy_engine };

/// Prepares a chunk on `threads` threads; `to` is aligned to 64 bytes. O(elements). It is in a file
/// of its own, because a compiler of device code may not know OpenMP.
template <class T>
void prepare_chunk(const PipelineChunks<T>& stream, std::size_t chunk, T* to, int threads,
                   Reader reader);

/// Copies a chunk's results to their row on `threads` threads. It goes through the caches: the next
/// reader is a core, and the results are a sixteenth of the data. O(results).
template <class T>
void store_results(const PipelineChunks<T>& stream, std::size_t chunk, const T* from, int threads);

/// A turn of `overlapped` with a device. On all threads of the call, the host stores the results of
/// chunk turn - pipeline_slots and prepares chunk `turn` in the slot that this frees, one of those
/// in call.staging. The caller's thread begins with `meanwhile`: it hands chunk turn - 1 over to
/// the device, and waits for the results of the chunk whose slot comes next. The other threads do
/// not wait for it. If it throws, the exception is rethrown when all have ended. O(elements).
template <class T>
void take_turn(const Call& call, std::size_t turn, const std::function<void()>& meanwhile);

} // namespace ado::bench
