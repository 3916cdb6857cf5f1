// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, row_per_vector_shared: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   as row_per_vector: warp = one row; its lanes add their parts in shared memory, with
//             atomics. The first thread weighs the block's rows and adds them to the result with
//             one atomic
//   scratch   32 elements of shared memory, one a warp; no workspace
//   bytes     reads a once, x once a row (from L2), y once; updates one number once a block
//   needs     any alignment; any block of whole warps
//   teaches   against row_per_vector_atomic: atomics where only the block waits for them, and one
//             in memory for all its rows. But the lanes of a warp meet at one address and take
//             turns, where row_per_vector needs five shuffles, and two barriers order what shuffles
//             order by themselves. Without the first, the write of zero by the first warp races
//             with the additions of the others: a part that is added too early is overwritten, or
//             added to what the block before left there. Without the second, the reads of the first
//             thread race with them. As with all such atomics, the last bits differ from run to run

#include <ado/core/bound.hpp>
#include <ado/cuda/variant.hpp>
#include <ado/yax/accesses.hpp>

#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>

#include <algorithm>

namespace ado::bench::native {
namespace {

constexpr int most_warps = 32; // of a block

template <class T>
__global__ void row_per_vector_shared(std::size_t rows, std::size_t columns, const T* y, const T* a,
                                      std::size_t lda, const T* x, T* result) {
  __shared__ T of_row[most_warps];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const std::size_t first = std::size_t{blockIdx.x} * warps, i = first + warp;
  if (threadIdx.x < warps) of_row[threadIdx.x] = 0;
  __syncthreads(); // all sums are zero before anybody adds to one
  if (i < rows) {
    T part = 0;
    for (std::size_t j = lane; j < columns; j += 32)
      part = fma(a[i * lda + j], x[j], part);
    atomicAdd(&of_row[warp], part);
  }
  __syncthreads(); // all parts are there
  if (threadIdx.x == 0) {
    T sum = 0;
    for (unsigned r = 0; r < warps && first + r < rows; ++r)
      sum = fma(y[first + r], of_row[r], sum);
    atomicAdd(result, sum);
  }
}

struct RowPerVectorShared {
  static constexpr std::string_view algorithm = "yax", name = "row_per_vector_shared";
  static constexpr std::string_view summary = "atomics in shared memory, and one in memory a block";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;
  static constexpr unsigned usual_threads = 256;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_warp(s, type);
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &y = call.arrays[0], &a = call.arrays[1], &x = call.arrays[2];
    const std::size_t rows = call.shape[0], columns = call.shape[1];
    const unsigned threads = block_size("row_per_vector_shared", row_per_vector_shared<T>,
                                        call.launch, usual_threads, 32);
    T* const result = call.arrays[3].as<T>();
    check(cudaMemsetAsync(result, 0, sizeof(T), stream), "yax[row_per_vector_shared]: result = 0");
    launch("row_per_vector_shared", row_per_vector_shared<T>, ceil_div(rows, threads / 32), threads,
           0, stream, rows, columns, y.as<const T>(), a.as<const T>(), a.stride[0], x.as<const T>(),
           result);
  }
  template <class T>
  static double rounding_steps(const Shape& s, const Launch& asked) {
    const std::size_t threads =
        asked.team_size == 0 ? usual_threads : static_cast<std::size_t>(asked.team_size);
    // A lane's chain with its products; the lanes, the rows with y, and the blocks, in whatever
    // order.
    return static_cast<double>(ceil_div(s[1], 32)) +
           static_cast<double>(std::min<std::size_t>(s[1], 32)) + 1 +
           static_cast<double>(std::min(s[0], threads / 32)) +
           static_cast<double>(ceil_div(s[0], threads / 32));
  }
};
const CudaVariant<RowPerVectorShared> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
