// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel of all rungs: the results of one chunk.
//   mapping   thread = a result, whose 16 elements it reads side by side, 16 bytes at a time
//   scratch   none
#pragma once

#include <ado/core/checks.hpp>
#include <ado/pipeline/chunks.hpp>

#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>

#include <cstddef>

namespace ado::bench::native {

inline constexpr unsigned pipeline_threads = 256;

/// `prepared` lies on a boundary of 16 bytes; `count` results of `elements` elements.
template <class T>
__global__ void pipeline_kernel(const T* prepared, T* results, std::size_t elements,
                                std::size_t work, std::size_t count, T factor) {
  constexpr int group = pipeline_group, packs = group / pack_size<T>;
  const std::size_t j = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (j >= count) return;
  const T* const from = prepared + j * group;
  T p[group], r[group];
  if ((j + 1) * group <= elements) {
#pragma unroll
    for (int k = 0; k < packs; ++k) {
      const Pack<T> pack = load_pack(from + k * pack_size<T>);
#pragma unroll
      for (int l = 0; l < pack_size<T>; ++l)
        p[k * pack_size<T> + l] = pack.value[l];
    }
  } else {
#pragma unroll
    for (int k = 0; k < group; ++k)
      p[k] = j * group + k < elements ? from[k] : T(0);
  }
#pragma unroll
  for (int k = 0; k < group; ++k)
    r[k] = p[k];
#pragma unroll 4
  for (std::size_t step = 0; step < work; ++step) {
#pragma unroll
    for (int k = 0; k < group; ++k)
      r[k] = r[k] * factor + p[k];
  }
#pragma unroll
  for (int half = group / 2; half > 0; half /= 2) {
#pragma unroll
    for (int k = 0; k < half; ++k)
      r[k] += r[k + half];
  }
  results[j] = r[0];
}

/// Asynchronous on `stream`. Throws InvalidArgument, naming `name`, where no block of the size that
/// `launch` asks for fits, Error where CUDA refuses the launch.
template <class T>
void launch_results(const char* name, cudaStream_t stream, const Launch& asked,
                    const PipelineChunks<T>& chunks, const T* prepared, T* results) {
  const unsigned threads = block_size(name, pipeline_kernel<T>, asked, pipeline_threads);
  launch(name, pipeline_kernel<T>, ceil_div(chunks.results, threads), threads, 0, stream, prepared,
         results, chunks.elements, chunks.work, chunks.results, chunks.factor);
}

} // namespace ado::bench::native
