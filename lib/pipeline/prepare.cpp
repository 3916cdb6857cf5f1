// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <ado/pipeline/prepare.hpp>

namespace ado {

template <class T>
void prepare_chunk(const PipelineChunks<T>& stream, std::size_t chunk, T* to, int threads) {
  constexpr std::size_t few = 16384; // waking the threads would take longer
  const T* const raw = stream.raw_of(chunk);
  const T gain = stream.gain[chunk];
  const std::size_t count = stream.elements, line = 64 / sizeof(T), lines = ceil_div(count, line);
  const auto shares = static_cast<std::size_t>(count < few ? 1 : threads);
#pragma omp parallel for schedule(static) num_threads(threads) if (shares > 1)
  for (std::size_t share = 0; share < shares; ++share)
    prepare_elements(raw, gain, to, std::min(lines * share / shares * line, count),
                     std::min(lines * (share + 1) / shares * line, count));
}
template void prepare_chunk(const PipelineChunks<float>&, std::size_t, float*, int);
template void prepare_chunk(const PipelineChunks<double>&, std::size_t, double*, int);

} // namespace ado
