// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/core/streamed_stores.hpp>
#include <ado/pipeline/prepare.hpp>

#include <algorithm>

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

/// prepare_elements() with stores past the caches; to + first is aligned to 64 bytes.
template <class T>
void stream_elements(const T* raw, T gain, T* to, std::size_t first, std::size_t last) {
  constexpr std::size_t some = 256 / sizeof(T);
  alignas(64) T prepared[some];
  for (; last - first >= some; first += some) {
    prepare_elements(raw + first, gain, prepared, 0, some);
    stream_bytes(reinterpret_cast<std::byte*>(to + first),
                 reinterpret_cast<const std::byte*>(prepared), sizeof prepared);
  }
  prepare_elements(raw, gain, to, first, last);
  stream_fence();
}

} // namespace

template <class T>
void prepare_chunk(const PipelineChunks<T>& stream, std::size_t chunk, T* to, int threads,
                   Reader reader) {
  const T* const raw = stream.raw_of(chunk);
  const T gain = stream.gain[chunk];
  in_shares<T>(stream.elements, threads, [&](std::size_t first, std::size_t last) {
    if (reader == Reader::copy_engine)
      stream_elements(raw, gain, to, first, last);
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
