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
#include <ado/core/registry.hpp>

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

template <class T>
void run_as(const Call& call) {
  const auto stream = static_cast<cudaStream_t>(call.queue.stream);
  const auto [rows, cols, unused] = call.shape;
  T* const partial = static_cast<T*>(call.workspace);
  const std::size_t blocks = ceil_div(rows, threads);
  launch("row_per_thread", row_per_thread<T>, blocks, threads, 0, stream, rows, cols,
         call.arrays[0].as<const T>(), call.arrays[1].as<const T>(), call.arrays[1].stride[0],
         call.arrays[2].as<const T>(), partial);
  sum_partials(partial, blocks, call.arrays[3].as<T>(), stream);
}

void run(const Call& call) {
  with_real_type(call.type, [&](auto zero) { run_as<decltype(zero)>(call); });
}
double rounding_steps(const Shape& s, Type) {
  const double in_block = tree_depth(s[0] < threads ? s[0] : threads);
  return static_cast<double>(s[1]) + 1 + in_block + sum_partials_steps(ceil_div(s[0], threads));
}
std::size_t workspace_bytes(const Shape& s, Type type) {
  return ceil_div(s[0], threads) * size_of(type);
}

const Registration registered{Variant{
    .algorithm = "yax",
    .name = "row_per_thread",
    .model = Model::cuda,
    .backend = "cuda",
    .types = real_types,
    .summary = "a thread a row: uncoalesced, the first honest kernel",
    .file = __FILE__,
    .run = &run,
    .rounding_steps = &rounding_steps,
    .workspace_bytes = &workspace_bytes,
}};

} // namespace
} // namespace ado::native
