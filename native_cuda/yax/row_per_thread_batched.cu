// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, row_per_thread_batched: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   that of row_per_thread_left: block = 256 rows of a column-major copy of a, thread =
//             one row from left to right. It asks for 16 elements before it uses the first
//   scratch   8 elements of shared memory; workspace: the copy, then one element a block
//   bytes     reads the copy once, x once a row (from L1), y once
//   needs     as much memory again as a takes
//   teaches   against row_per_thread_left: with a thread a row threads are few, so each needs many
//             loads in flight, and __launch_bounds__(256, 1) to have the registers for them: the
//             compiler else keeps room for blocks that never come
#include <ado/yax/accesses.hpp>

#include <native_cuda/yax/left_copy.cuh>

namespace ado::bench::native {
namespace {

/// Element (i, j) of a is a[j * ld + i].
template <class T>
__global__ __launch_bounds__(rows_a_block,
                             1) void row_per_thread_batched(std::size_t rows, std::size_t columns,
                                                            const T* y, const T* a, std::size_t ld,
                                                            const T* x, T* partial) {
  const std::size_t i = std::size_t{blockIdx.x} * rows_a_block + threadIdx.x;
  T dot = 0;
  if (i < rows) {
    constexpr int together = 16;
    std::size_t j = 0;
    for (; j + together <= columns; j += together) {
      T loaded[together];
#pragma unroll
      for (int k = 0; k < together; ++k)
        loaded[k] = a[(j + k) * ld + i];
#pragma unroll
      for (int k = 0; k < together; ++k)
        dot = fma(loaded[k], x[j + k], dot);
    }
    for (; j < columns; ++j)
      dot = fma(a[j * ld + i], x[j], dot);
  }
  const T sum = block_sum<rows_a_block>(i < rows ? y[i] * dot : T(0));
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

struct RowPerThreadBatched {
  static constexpr std::string_view algorithm = "yax", name = "row_per_thread_batched";
  static constexpr std::string_view summary = "row_per_thread_left with 16 loads in flight";
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_thread_left(s, type);
  }
  template <class T>
  static void prepare(const Call& call, cudaStream_t stream) {
    make_left_copy<T>(call, stream);
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    launch_on_left_copy<T>("row_per_thread_batched", row_per_thread_batched<T>, call, stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s) {
    return row_per_thread_steps(s[0], s[1]);
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return left_copy_bytes<T>(s, "yax[row_per_thread_batched]: workspace");
  }
};
const CudaVariant<RowPerThreadBatched> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
