// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, row_per_vector_atomic: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   as row_per_vector: warp = one row; its first lane adds y[i] * dot to the result with
//             an atomic
//   scratch   none, and no workspace
//   bytes     reads a once, x once a row (from L2), y once; updates one number R times
//   needs     any alignment; any block of whole warps
//   teaches   against row_per_vector: no second kernel and no workspace, at the price of R atomics
//             on one address, which take turns (much where rows are short), and of results that
//             differ from run to run in their last bits, for rows are added as they come

#include <ado/core/bound.hpp>
#include <ado/cuda/variant.hpp>
#include <ado/yax/accesses.hpp>

#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>

#include <algorithm>

namespace ado::bench::native {
namespace {

template <class T>
__global__ void row_per_vector_atomic(std::size_t rows, std::size_t columns, const T* y, const T* a,
                                      std::size_t lda, const T* x, T* result) {
  const unsigned lane = threadIdx.x % 32;
  const std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  if (i >= rows) return; // the whole warp
  T dot = 0;
  for (std::size_t j = lane; j < columns; j += 32)
    dot = fma(a[i * lda + j], x[j], dot);
  dot = lanes_sum<32>(dot);
  if (lane == 0) atomicAdd(result, y[i] * dot);
}

struct RowPerVectorAtomic {
  static constexpr std::string_view algorithm = "yax", name = "row_per_vector_atomic";
  static constexpr std::string_view summary = "an atomic a row: their price, and no fixed order";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_warp(s, type);
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &y = call.arrays[0], &a = call.arrays[1], &x = call.arrays[2];
    const std::size_t rows = call.shape[0], columns = call.shape[1];
    const unsigned threads =
        block_size("row_per_vector_atomic", row_per_vector_atomic<T>, call.launch, 256, 32);
    T* const result = call.arrays[3].as<T>();
    check(cudaMemsetAsync(result, 0, sizeof(T), stream), "yax[row_per_vector_atomic]: result = 0");
    launch("row_per_vector_atomic", row_per_vector_atomic<T>, ceil_div(rows, threads / 32), threads,
           0, stream, rows, columns, y.as<const T>(), a.as<const T>(), a.stride[0], x.as<const T>(),
           result);
  }
  template <class T>
  static double rounding_steps(const Shape& s) {
    // The last term: one row after another, in whatever order.
    return static_cast<double>(ceil_div(s[1], 32)) + tree_depth(std::min<std::size_t>(s[1], 32)) +
           1 + static_cast<double>(s[0]);
  }
};
const CudaVariant<RowPerVectorAtomic> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
