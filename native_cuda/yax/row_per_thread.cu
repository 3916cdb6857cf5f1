// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, row_per_thread: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   block = 256 rows, thread = one row from left to right; the block adds its threads'
//             y[i] * dot as a tree, a second kernel adds the blocks'
//   scratch   8 elements of shared memory; workspace of one element a block
//   bytes     reads a, x, y once in principle; the lanes of a warp stand a row apart, so each of
//             its loads touches 32 cache lines, which must stay in L1 until their last byte is
//             used
//   needs     any alignment
//   teaches   the first honest kernel: right, deterministic, uncoalesced

#include <native_cuda/core/variant.hpp>
#include <native_cuda/yax/sum_partials.cuh>

namespace ado::native {
namespace {

constexpr int threads = 256;

template <class T>
__global__ __launch_bounds__(threads) void row_per_thread(std::size_t rows, std::size_t cols,
                                                          const T* y, const T* a, std::size_t lda,
                                                          const T* x, T* partial) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  T dot = 0;
  if (i < rows)
    for (std::size_t j = 0; j < cols; ++j)
      dot = fma(a[i * lda + j], x[j], dot);
  const T sum = block_sum<threads>(i < rows ? y[i] * dot : T(0));
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

struct RowPerThread {
  static constexpr std::string_view algorithm = "yax", name = "row_per_thread";
  static constexpr std::string_view summary =
      "a thread a row: uncoalesced, the first honest kernel";
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &y = call.arrays[0], &a = call.arrays[1], &x = call.arrays[2];
    const std::size_t rows = call.shape[0], cols = call.shape[1], blocks = ceil_div(rows, threads);
    T* const partial = static_cast<T*>(call.workspace);
    launch("row_per_thread", row_per_thread<T>, blocks, threads, 0, stream, rows, cols,
           y.as<const T>(), a.as<const T>(), a.stride[0], x.as<const T>(), partial);
    sum_partials(partial, blocks, call.arrays[3].as<T>(), stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s) {
    const double in_block = tree_depth(s[0] < threads ? s[0] : threads);
    return static_cast<double>(s[1]) + 1 + in_block + sum_partials_steps(ceil_div(s[0], threads));
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return ceil_div(s[0], threads) * sizeof(T);
  }
};
const CudaVariant<RowPerThread> registered{__FILE__};

} // namespace
} // namespace ado::native
