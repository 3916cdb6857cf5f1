// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/checks.hpp>
#include <ado/pipeline/prepare.hpp>
#include <ado/registry/stages.hpp>

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <exception>

namespace ado::bench {
namespace {

/// `count` numbers in parts. There are enough parts for threads that take them as they come to end
/// together, and each is worth taking. If the numbers begin on a cache line, so does every part.
template <class T>
struct Parts {
  std::size_t count, parts;

  Parts(std::size_t numbers, int threads) : count(numbers), parts(1) {
    constexpr std::size_t least = 16384 / sizeof(T); // some 3 us of a core's work
    if (numbers >= 4 * least)                        // else not worth waking threads
      parts = std::min(numbers / least, 8 * static_cast<std::size_t>(threads));
  }
  std::size_t begin_of(std::size_t part) const {
    constexpr std::size_t line = 64 / sizeof(T);
    return std::min(ceil_div(count, line) * part / parts * line, count);
  }
};

/// work(part) for all parts on `threads` threads. A part goes to the same thread each time, whose
/// caches may still have the slot's lines. The number of threads is the same each time, too: OpenMP
/// ends threads that a smaller team leaves out, and has to make them anew.
template <class T, class Work>
void in_parts(const Parts<T>& parts, int threads, const Work& work) {
#pragma omp parallel for schedule(static) num_threads(threads) if (parts.parts > 1)
  for (std::size_t part = 0; part < parts.parts; ++part)
    work(part);
}

/// work(k) for each k < `pieces`. If the pieces are more than one thread's work, `threads` threads
/// take them as they come, because the caller's thread is late: it begins with `meanwhile`. If one
/// of them throws, the exception is rethrown when all have ended.
template <class Work>
void in_pieces(std::size_t pieces, int threads, const std::function<void()>& meanwhile,
               const Work& work) {
  std::exception_ptr failure; // none may leave a parallel region
  const auto guarded = [&](const auto& step) {
    try {
      step();
    } catch (...) {
#pragma omp critical(ado_pipeline_failure)
      failure = std::current_exception();
    }
  };
#pragma omp parallel num_threads(threads) if (pieces > 2)
  {
    if (omp_get_thread_num() == 0) guarded(meanwhile);
#pragma omp for schedule(dynamic) nowait
    for (std::size_t piece = 0; piece < pieces; ++piece)
      guarded([&] { work(piece); });
  }
  if (failure) std::rethrow_exception(failure);
}

/// Moves a line from a core's own caches to the one that all share. A hint: processors that do not
/// know CLDEMOTE take it for no operation.
inline void demote(const void* line) {
#ifdef __x86_64__
  asm volatile("cldemote %0" : : "m"(*static_cast<const char*>(line)));
#else
  static_cast<void>(line);
#endif
}

/// prepare_elements() for a copy engine; to + first is aligned to 64 bytes. A copy of lines that a
/// core has just written waits for that core. Stores that bypass all caches take the memory's
/// bandwidth from copies (docs/lab/pipeline.md).
template <class T>
void hand_over_elements(const T* raw, T gain, T* to, std::size_t first, std::size_t last) {
  constexpr std::size_t line = 64 / sizeof(T), some = 4 * line;
  alignas(64) T prepared[some]; // a compiler must assume that a chunk may alias raw: this cannot
  for (; last - first >= some; first += some) {
    prepare_elements(raw + first, gain, prepared, 0, some);
    std::memcpy(to + first, prepared, sizeof prepared);
    for (std::size_t k = 0; k < some; k += line)
      demote(to + first + k);
  }
  prepare_elements(raw, gain, to, first, last);
}

template <class T>
void prepare_part(const PipelineChunks<T>& stream, std::size_t chunk, T* to, Reader reader,
                  const Parts<T>& parts, std::size_t part) {
  const T* const raw = stream.raw_of(chunk);
  const T gain = stream.gain[chunk];
  const std::size_t first = parts.begin_of(part), last = parts.begin_of(part + 1);
  if (reader == Reader::copy_engine)
    hand_over_elements(raw, gain, to, first, last);
  else
    prepare_elements(raw, gain, to, first, last);
}

template <class T>
void store_part(const PipelineChunks<T>& stream, std::size_t chunk, const T* from,
                const Parts<T>& parts, std::size_t part) {
  const std::size_t first = parts.begin_of(part), last = parts.begin_of(part + 1);
  std::copy(from + first, from + last, stream.result_of(chunk) + first);
}

} // namespace

template <class T>
void prepare_chunk(const PipelineChunks<T>& stream, std::size_t chunk, T* to, int threads,
                   Reader reader) {
  const Parts<T> parts(stream.elements, threads);
  in_parts(parts, threads,
           [&](std::size_t part) { prepare_part(stream, chunk, to, reader, parts, part); });
}
template void prepare_chunk(const PipelineChunks<float>&, std::size_t, float*, int, Reader);
template void prepare_chunk(const PipelineChunks<double>&, std::size_t, double*, int, Reader);

template <class T>
void store_results(const PipelineChunks<T>& stream, std::size_t chunk, const T* from, int threads) {
  const Parts<T> parts(stream.results, threads);
  in_parts(parts, threads, [&](std::size_t part) { store_part(stream, chunk, from, parts, part); });
}
template void store_results(const PipelineChunks<float>&, std::size_t, const float*, int);
template void store_results(const PipelineChunks<double>&, std::size_t, const double*, int);

template <class T>
void take_turn(const Call& call, std::size_t turn, const std::function<void()>& meanwhile) {
  const PipelineChunks<T> stream(call);
  const PipelineSlot<T> slot(call.staging, call, turn % pipeline_slots);
  const int threads = call.queue.threads;
  const Parts<T> results(stream.results, threads), elements(stream.elements, threads);
  const auto stored = pipeline_chunk(turn, pipeline_slots, stream.chunks); // from the same slot
  const std::size_t to_store = stored ? results.parts : 0;
  const std::size_t to_prepare = turn < stream.chunks ? elements.parts : 0;
  StageInParts store, prepare;
  in_pieces(to_store + to_prepare, threads, meanwhile, [&](std::size_t piece) {
    if (piece < to_store)
      store.part(call.stages, Stage::store, *stored, to_store,
                 [&] { store_part(stream, *stored, slot.results, results, piece); });
    else
      prepare.part(call.stages, Stage::prepare, turn, to_prepare, [&] {
        prepare_part(stream, turn, slot.prepared, Reader::copy_engine, elements, piece - to_store);
      });
  });
}
template void take_turn<float>(const Call&, std::size_t, const std::function<void()>&);
template void take_turn<double>(const Call&, std::size_t, const std::function<void()>&);

} // namespace ado::bench
