// dot, cuda, plain: a sum for each block, then a block that adds them
//   mapping   1024 blocks of 256 threads, each of which walks through the arrays in strides
//   bytes     reads each input once
#include "dot.hpp"
#include <ado/cuda/variant.hpp>

namespace dot {

constexpr unsigned most_blocks = 1024, block = 256;

/// Thread 0 gets the sum over the block.
template <class T>
__device__ T sum_of_block(T mine) {
  __shared__ T of_warp[block / 32];
  for (unsigned d = 16; d > 0; d /= 2)
    mine += __shfl_down_sync(~0u, mine, d);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return mine;
  mine = threadIdx.x < block / 32 ? of_warp[threadIdx.x] : T(0);
  for (unsigned d = 16; d > 0; d /= 2)
    mine += __shfl_down_sync(~0u, mine, d);
  return mine;
}

template <class T>
__global__ void sums_of_blocks(const T* a, const T* b, std::size_t n, T* sums) {
  T sum = 0;
  const std::size_t stride = std::size_t(gridDim.x) * block;
  for (std::size_t i = std::size_t(blockIdx.x) * block + threadIdx.x; i < n; i += stride)
    sum += a[i] * b[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

template <class T>
__global__ void add_sums(const T* sums, unsigned count, T* result) {
  T sum = 0;
  for (unsigned i = threadIdx.x; i < count; i += block)
    sum += sums[i];
  sum = sum_of_block(sum);
  if (threadIdx.x == 0) *result = sum;
}

struct InCuda : Names {
  static constexpr std::string_view summary = "two kernels";

  static std::size_t workspace_bytes(const bench::Shape&, bench::Type type) {
    return most_blocks * bench::size_of(type);
  }
  template <class T>
  static void run(const bench::Call& call, cudaStream_t stream) {
    T* const sums = static_cast<T*>(call.workspace);
    sums_of_blocks<<<most_blocks, block, 0, stream>>>(
        call.arrays[0].as<const T>(), call.arrays[1].as<const T>(), call.shape[0], sums);
    add_sums<<<1, block, 0, stream>>>(sums, most_blocks, call.arrays[2].as<T>());
  }
};
const bench::CudaVariant<InCuda> registered{__FILE__};

} // namespace dot
