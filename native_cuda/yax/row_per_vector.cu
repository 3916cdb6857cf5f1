// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, row_per_vector: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   warp = one row, its lanes side by side in j, summed by shuffles; block = as many rows
//             as it has warps, whose y[i] * dot it adds; a second kernel adds the blocks'
//   scratch   32 elements of shared memory; workspace of one element a block
//   bytes     reads a once, x once a row (from L2), y once
//   needs     any alignment; any block of whole warps
//   teaches   against row_per_thread: neighbouring lanes read neighbouring elements, so each sector
//             of a is fetched once and used whole. Left: a load brings one element, and few are in
//             flight, which team mends

#include <ado/cuda/variant.hpp>
#include <ado/yax/accesses.hpp>

#include <native_cuda/yax/sum_partials.cuh>

#include <algorithm>

namespace ado::bench::native {
namespace {

template <class T>
__global__ void row_per_vector(std::size_t rows, std::size_t columns, const T* y, const T* a,
                               std::size_t lda, const T* x, T* partial) {
  const unsigned lane = threadIdx.x % 32;
  const std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  T dot = 0;
  if (i < rows)
    for (std::size_t j = lane; j < columns; j += 32)
      dot = fma(a[i * lda + j], x[j], dot);
  dot = lanes_sum<32>(dot);
  const T sum = block_sum(lane == 0 && i < rows ? y[i] * dot : T(0));
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

struct RowPerVector {
  static constexpr std::string_view algorithm = "yax", name = "row_per_vector";
  static constexpr std::string_view summary = "a warp a row, summed by shuffles: coalesced";
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
    const unsigned threads =
        block_size("row_per_vector", row_per_vector<T>, call.launch, usual_threads, 32);
    const std::size_t blocks = ceil_div(rows, threads / 32);
    T* const partial = static_cast<T*>(call.workspace);
    launch("row_per_vector", row_per_vector<T>, blocks, threads, 0, stream, rows, columns,
           y.as<const T>(), a.as<const T>(), a.stride[0], x.as<const T>(), partial);
    sum_partials(partial, blocks, call.arrays[3].as<T>(), stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s, const Launch& asked) {
    const std::size_t threads =
        asked.team_size == 0 ? usual_threads : static_cast<std::size_t>(asked.team_size);
    const std::size_t per_block = threads / 32;
    return static_cast<double>(ceil_div(s[1], 32)) + tree_depth(std::min<std::size_t>(s[1], 32)) +
           1 + tree_depth(std::min(s[0], per_block)) +
           sum_partials_steps(ceil_div(s[0], per_block));
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return checked_product({s[0], sizeof(T)}, "yax[row_per_vector]: workspace"); // blocks of a warp
  }
};
const CudaVariant<RowPerVector> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
