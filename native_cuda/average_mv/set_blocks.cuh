// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rungs of average_mv that give whole sets to a block share: arrays, the ways to average
// and to multiply, launch.
#pragma once

#include <ado/average_mv/set_means.hpp>

#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>

#include <cstddef>

namespace ado::bench::native {

template <class T>
struct SetArrays {
  std::size_t sets, length, count;
  const T* v;
  std::size_t set_stride, vector_stride;
  const T* a;
  std::size_t lda;
  T* y;
  std::size_t ldy;
  T* workspace;
  bool means_in_shared;

  explicit SetArrays(const Call& call, std::size_t sums = 0)
      : sets(call.shape[0]),
        length(call.shape[1]),
        count(call.shape[2]),
        v(call.arrays[0].as<const T>()),
        set_stride(call.arrays[0].stride[0]),
        vector_stride(call.arrays[0].stride[1]),
        a(call.arrays[1].as<const T>()),
        lda(call.arrays[1].stride[0]),
        y(call.arrays[2].as<T>()),
        ldy(call.arrays[2].stride[0]),
        workspace(static_cast<T*>(call.workspace)),
        means_in_shared(means_scratch_bytes(length, sizeof(T), sums) != 0) {}

  __device__ const T* vector(std::size_t n, std::size_t l) const {
    return v + n * set_stride + l * vector_stride;
  }
  /// Where the block keeps the means of its set: in shared memory if they fit.
  __device__ T* means() const {
    return means_in_shared ? shared() : workspace + blockIdx.x * length;
  }
  std::size_t shared_bytes(unsigned /*threads*/) const {
    return means_in_shared ? length * sizeof(T) : 0;
  }

protected:
  static __device__ T* shared() {
    extern __shared__ double memory[]; // of the largest element type, so aligned for each
    return reinterpret_cast<T*>(memory);
  }
};

/// The same for kernels that sweep: each thread has a sum in shared memory, too.
template <class T>
struct SweepArrays : SetArrays<T> {
  explicit SweepArrays(const Call& call) : SetArrays<T>(call, most_set_threads) {}

  __device__ T* sums() const {
    return SetArrays<T>::shared() + (this->means_in_shared ? this->length : 0);
  }
  std::size_t shared_bytes(unsigned threads) const {
    return SetArrays<T>::shared_bytes(threads) + threads * sizeof(T);
  }
};

/// The means of set n, each by one thread.
template <class T>
__device__ void average_by_threads(const SetArrays<T>& s, std::size_t n, T* mean) {
  for (std::size_t l = threadIdx.x; l < s.length; l += blockDim.x) {
    const T* const vector = s.vector(n, l);
    T sum = 0;
    for (std::size_t m = 0; m < s.count; ++m)
      sum += vector[m];
    mean[l] = sum / static_cast<T>(s.count);
  }
}

/// The means of set n, each by the lanes of a warp, side by side in m.
template <class T>
__device__ void average_by_lanes(const SetArrays<T>& s, std::size_t n, T* mean) {
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (std::size_t l = warp; l < s.length; l += warps) {
    const T* const vector = s.vector(n, l);
    T sum = 0;
    for (std::size_t m = lane; m < s.count; m += 32)
      sum += vector[m];
    sum = lanes_sum<32>(sum);
    if (lane == 0) mean[l] = sum / static_cast<T>(s.count);
  }
}

/// Column n of y, each of its elements by one thread.
template <class T>
__device__ void multiply_by_threads(const SetArrays<T>& s, std::size_t n, const T* mean) {
  for (std::size_t i = threadIdx.x; i < s.length; i += blockDim.x) {
    T sum = 0;
    for (std::size_t j = 0; j < s.length; ++j)
      sum = fma(s.a[i * s.lda + j], mean[j], sum);
    s.y[i * s.ldy + n] = sum;
  }
}

/// Column n of y, each of its elements by the whole block: side by side in j each thread adds up
/// its share of the row. Then the sums are added in a sweep: the first half adds the second to its
/// own, until one is left.
template <class T>
__device__ void multiply_by_sweep(const SetArrays<T>& s, std::size_t n, const T* mean, T* sums) {
  const unsigned thread = threadIdx.x, threads = blockDim.x;
  unsigned all = 1; // a power of two, so that halves are whole
  while (all < threads)
    all *= 2;
  for (std::size_t i = 0; i < s.length; ++i) {
    __syncthreads(); // the means are there, and thread 0 has read the sums of the row before
    T sum = 0;
    for (std::size_t j = thread; j < s.length; j += threads)
      sum = fma(s.a[i * s.lda + j], mean[j], sum);
    sums[thread] = sum;
    for (unsigned half = all / 2; half > 0; half /= 2) {
      __syncthreads();
      if (thread < half && thread + half < threads) sums[thread] += sums[thread + half];
    }
    if (thread == 0) s.y[i * s.ldy + n] = sums[0];
  }
}

/// Threads of a block that sweeps: what `launch` asks for, else one for each vector of a set.
inline int sweep_threads(const Launch& launch, std::size_t length) {
  return launch.team_size == 0 ? threads_for_length(length) : launch.team_size;
}

/// Launches `blocks` blocks of `kernel`, of as many threads as the call asks for.
template <class Arrays>
void launch_sets(const char* name, void (*kernel)(Arrays), const Call& call, std::size_t blocks,
                 unsigned usual_threads, int lanes, cudaStream_t stream) {
  const Arrays arrays(call);
  const unsigned threads = block_size(name, kernel, call.launch, usual_threads, lanes);
  launch(name, kernel, blocks, threads, arrays.shared_bytes(threads), stream, arrays);
}

} // namespace ado::bench::native
