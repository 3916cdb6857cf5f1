// histogram, cuda, plain and own_counts
//   mapping   plain: a thread adds to the counts for each key; own_counts: a block has counts of
//             its own in shared memory, and adds them at the end
//   teaches   atomic additions to shared memory do not leave the multiprocessor
#include "histogram.hpp"
#include <ado/cuda/variant.hpp>

namespace histogram {

namespace bench = ado::bench;

constexpr unsigned block = 256, blocks = 1024;
using Count = unsigned long long;

__global__ void count(Keys k) {
  const std::size_t i = std::size_t(blockIdx.x) * block + threadIdx.x;
  if (i < k.count) atomicAdd(reinterpret_cast<Count*>(k.counts) + k.keys[i], Count{1});
}

struct HistogramInCuda : HistogramVariant {
  static constexpr std::string_view name = "plain", summary = "an atomic addition a key";

  static void run(const bench::Call& call, cudaStream_t stream) {
    const Keys k(call);
    cudaMemsetAsync(k.counts, 0, bins * sizeof *k.counts, stream);
    count<<<unsigned(k.count / block + 1), block, 0, stream>>>(k);
  }
};
const bench::CudaVariant<HistogramInCuda> plain{__FILE__};

__global__ __launch_bounds__(block) void count_in_blocks(Keys k) {
  static_assert(bins == block);
  __shared__ unsigned mine[bins];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (std::size_t i = std::size_t(blockIdx.x) * block + threadIdx.x; i < k.count;
       i += std::size_t(gridDim.x) * block)
    atomicAdd(mine + k.keys[i], 1u);
  __syncthreads();
  atomicAdd(reinterpret_cast<Count*>(k.counts) + threadIdx.x, Count{mine[threadIdx.x]});
}

struct OwnCountsInCuda : HistogramVariant {
  static constexpr std::string_view name = "own_counts", summary = "counts for each block";

  static void run(const bench::Call& call, cudaStream_t stream) {
    const Keys k(call);
    cudaMemsetAsync(k.counts, 0, bins * sizeof *k.counts, stream);
    count_in_blocks<<<blocks, block, 0, stream>>>(k);
  }
};
const bench::CudaVariant<OwnCountsInCuda> own_counts{__FILE__};

} // namespace histogram
