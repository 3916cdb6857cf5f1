// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's own work on a chunk.
#pragma once

#include <ado/pipeline/chunks.hpp>

#include <cstddef>
#include <functional>

namespace ado {

/// to[i] = raw[i] * gain for first <= i < last, on the calling thread.
template <class T>
void prepare_elements(const T* raw, T gain, T* to, std::size_t first, std::size_t last) {
  for (std::size_t i = first; i < last; ++i)
    to[i] = raw[i] * gain;
}

/// Who reads a prepared chunk next: a core, which finds it in its caches, or a device's copy engine, which is
/// to find it in the cache that cores share and not to ask those of the cores that wrote it.
enum class Reader { core, copy_engine };

/// Prepares a chunk on so many threads; `to` is aligned to 64 bytes. O(elements). In a file of its own, for
/// a compiler of device code may not know OpenMP.
template <class T>
void prepare_chunk(const PipelineChunks<T>& stream, std::size_t chunk, T* to, int threads,
                   Reader reader);

/// Copies a chunk's results to their row on so many threads, through the caches: the next reader is a core, and
/// they are a sixteenth of the data. O(results).
template <class T>
void store_results(const PipelineChunks<T>& stream, std::size_t chunk, const T* from, int threads);

/// A turn of `overlapped` beside a device: the host stores the results of chunk turn - pipeline_slots and
/// prepares chunk `turn` in the slot that this leaves, on all threads of the call, in the slots of call.staging. The
/// caller's thread begins with `meanwhile`: chunk turn - 1 is handed over to the device, and the results of the one
/// whose slot comes next are waited for. The others do not wait for it. What it throws is thrown when all have ended.
/// O(elements).
template <class T>
void take_turn(const Call& call, std::size_t turn, const std::function<void()>& meanwhile);

} // namespace ado
