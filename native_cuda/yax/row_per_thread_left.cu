// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, row_per_thread_left: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   that of row_per_thread: block = 256 rows, thread = one row from left to right; but a is
//             read from a column-major copy, left[j * rows + i]
//   scratch   8 elements of shared memory; workspace: the copy, then one element a block
//   bytes     reads the copy once, x once a row (from L1), y once; the lanes of a warp read
//             neighbouring elements of a column. The copy is made before the time runs, as a program
//             that wants this layout holds a in it from the start
//   needs     as much memory again as a takes
//   teaches   against row_per_thread: only the layout, and each load of a warp is one coalesced
//             access. (Reading a row-major a by its columns without a copy would compute with its
//             transpose, right only where a is symmetric)

#include <native_cuda/core/variant.hpp>
#include <native_cuda/transpose/transpose.hpp>
#include <native_cuda/yax/sum_partials.cuh>

namespace ado::native {
namespace {

constexpr int threads = 256;

template <class T>
__global__ __launch_bounds__(threads) void row_per_thread_left(std::size_t rows, std::size_t cols,
                                                               const T* y, const T* left,
                                                               const T* x, T* partial) {
  const std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x;
  T dot = 0;
  if (i < rows) {
    // With a thread a row threads are few: so many loads at a time, before the first is used.
    constexpr int together = 16;
    std::size_t j = 0;
    for (; j + together <= cols; j += together) {
      T column[together];
#pragma unroll
      for (int k = 0; k < together; ++k)
        column[k] = left[(j + k) * rows + i];
#pragma unroll
      for (int k = 0; k < together; ++k)
        dot = fma(column[k], x[j + k], dot);
    }
    for (; j < cols; ++j)
      dot = fma(left[j * rows + i], x[j], dot);
  }
  const T sum = block_sum<threads>(i < rows ? y[i] * dot : T(0));
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

struct RowPerThreadLeft {
  static constexpr std::string_view algorithm = "yax", name = "row_per_thread_left";
  static constexpr std::string_view summary = "a thread a row of a column-major copy: coalesced";
  static constexpr TypeSet types = real_types;

  template <class T>
  static void prepare(const Call& call, cudaStream_t stream) {
    const std::size_t rows = call.shape[0], cols = call.shape[1];
    const Array& a = call.arrays[1];
    transpose(sizeof(T), rows, cols, a.data, a.stride[0], call.workspace, rows, stream);
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &y = call.arrays[0], &x = call.arrays[2];
    const std::size_t rows = call.shape[0], cols = call.shape[1], blocks = ceil_div(rows, threads);
    const T* const left = static_cast<const T*>(call.workspace);
    T* const partial = static_cast<T*>(call.workspace) + rows * cols;
    launch("row_per_thread_left", row_per_thread_left<T>, blocks, threads, 0, stream, rows, cols,
           y.as<const T>(), left, x.as<const T>(), partial);
    sum_partials(partial, blocks, call.arrays[3].as<T>(), stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s) {
    const double in_block = tree_depth(s[0] < threads ? s[0] : threads);
    return static_cast<double>(s[1]) + 1 + in_block + sum_partials_steps(ceil_div(s[0], threads));
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    // The partial sums, fewer than rows, take the place of one more column.
    return checked_product({s[0], s[1] + 1, sizeof(T)}, "yax[row_per_thread_left]: workspace");
  }
};
const CudaVariant<RowPerThreadLeft> registered{__FILE__};

} // namespace
} // namespace ado::native
