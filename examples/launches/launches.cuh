// The kernels of a call in CUDA: launched one after the other, or recorded so.
#pragma once
#include "launches.hpp"

namespace launches {

constexpr unsigned block = 256;

inline unsigned blocks(std::size_t n) { return unsigned(n / block + 1); }

template <class S>
__global__ void step_kernel(S kernel, std::size_t begin, std::size_t end) {
  const std::size_t i = begin + std::size_t(blockIdx.x) * block + threadIdx.x;
  if (i < end) kernel(i);
}

template <class S>
void launch_all(const bench::Call& call, cudaStream_t stream, bool fence) {
  const std::size_t n = elements(call);
  S kernel = step<S>(call, 0);
  for (std::size_t k = 0; k < kernels(call); ++k) {
    step_kernel<<<blocks(n), block, 0, stream>>>(kernel, 0, n);
    if (fence) cudaStreamSynchronize(stream);
    kernel.from = kernel.c;
  }
}

} // namespace launches
