// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/checks.hpp>
#include <ado/pipeline/prepare.hpp>

#include <algorithm>
#include <cstring>

namespace ado {
namespace {

/// work(first, last) for shares of `count` numbers on so many threads, where they are worth waking. Shares
/// begin on a cache line of what begins on one. The number of threads is the same each time, for OpenMP
/// ends threads that a smaller team leaves out, and makes them anew.
template <class T, class Work>
void in_shares(std::size_t count, int threads, const Work& work) {
  constexpr std::size_t few = 16384, line = 64 / sizeof(T);
  const std::size_t lines = ceil_div(count, line);
  const auto shares = static_cast<std::size_t>(count < few ? 1 : threads);
#pragma omp parallel for schedule(static) num_threads(threads) if (shares > 1)
  for (std::size_t share = 0; share < shares; ++share)
    work(std::min(lines * share / shares * line, count),
         std::min(lines * (share + 1) / shares * line, count));
}

/// Moves a line from a core's own caches to the one that all share. A hint: processors that do not know
/// CLDEMOTE take it for no operation.
inline void demote(const void* line) {
#ifdef __x86_64__
  asm volatile("cldemote %0" : : "m"(*static_cast<const char*>(line)));
#else
  static_cast<void>(line);
#endif
}

/// prepare_elements() for a copy engine; to + first is aligned to 64 bytes. A copy of lines that a core has
/// just written waits for that core, and stores past all caches take the memory's bandwidth from copies.
/// From 16 cores of a Xeon to an H200, 16 MiB a chunk, GB/s of 55: 44 past the caches, 54 so (docs/pipeline.md).
template <class T>
void hand_over_elements(const T* raw, T gain, T* to, std::size_t first, std::size_t last) {
  constexpr std::size_t line = 64 / sizeof(T), some = 4 * line;
  alignas(64) T prepared[some]; // for all that a compiler knows a chunk may alias raw: this cannot
  for (; last - first >= some; first += some) {
    prepare_elements(raw + first, gain, prepared, 0, some);
    std::memcpy(to + first, prepared, sizeof prepared);
    for (std::size_t k = 0; k < some; k += line)
      demote(to + first + k);
  }
  prepare_elements(raw, gain, to, first, last);
}

} // namespace

template <class T>
void prepare_chunk(const PipelineChunks<T>& stream, std::size_t chunk, T* to, int threads,
                   Reader reader) {
  const T* const raw = stream.raw_of(chunk);
  const T gain = stream.gain[chunk];
  in_shares<T>(stream.elements, threads, [&](std::size_t first, std::size_t last) {
    if (reader == Reader::copy_engine)
      hand_over_elements(raw, gain, to, first, last);
    else
      prepare_elements(raw, gain, to, first, last);
  });
}
template void prepare_chunk(const PipelineChunks<float>&, std::size_t, float*, int, Reader);
template void prepare_chunk(const PipelineChunks<double>&, std::size_t, double*, int, Reader);

template <class T>
void store_results(const PipelineChunks<T>& stream, std::size_t chunk, const T* from, int threads) {
  T* const to = stream.result_of(chunk);
  in_shares<T>(stream.results, threads, [&](std::size_t first, std::size_t last) {
    std::copy(from + first, from + last, to + first);
  });
}
template void store_results(const PipelineChunks<float>&, std::size_t, const float*, int);
template void store_results(const PipelineChunks<double>&, std::size_t, const double*, int);

} // namespace ado
