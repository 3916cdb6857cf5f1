// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, scratch_limited: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   block = four rows a warp. The whole block copies a piece of x into shared memory,
//             each warp goes along its rows over that piece, lanes side by side, then comes the
//             next piece; a second kernel adds the blocks
//   scratch   32 KiB of shared memory for the piece; workspace of one element a block
//   bytes     reads a once, y once, x once a block (from L2)
//   needs     any alignment; any block of whole warps
//   teaches   x in shared memory looks like a saving, but it comes from a cache anyhow, and shared
//             memory is what a multiprocessor has least of: 228 KiB on an H200 hold six of these
//             blocks, with 64 threads each 12 of its 64 warps, see --launches. A lane has few loads
//             in flight, which 12 warps do not make enough to keep the memory busy. More warps are
//             more bytes in flight: larger blocks share the same piece, --team-size 256 makes 48
//             warps of the 12; less shared memory does it too, and none is row_per_vector. Where
//             each lane has enough in flight more warps buy nothing: register_limited, and team
#include <ado/cuda/variant.hpp>

#include <native_cuda/yax/sum_partials.cuh>

#include <algorithm>

namespace ado::bench::native {
namespace {

constexpr int rows_per_warp = 4;
template <class T>
constexpr std::size_t piece = 32 * 1024 / sizeof(T);

template <class T>
__global__ void scratch_limited(std::size_t rows, std::size_t columns, const T* y, const T* a,
                                std::size_t lda, const T* x, T* partial) {
  __shared__ T of_x[piece<T>];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const std::size_t first = std::size_t{blockIdx.x} * warps * rows_per_warp + warp;
  T dot[rows_per_warp] = {};
  for (std::size_t j0 = 0; j0 < columns; j0 += piece<T>) {
    const auto width = static_cast<unsigned>(min(piece<T>, columns - j0));
    __syncthreads(); // all have used the piece before
    for (unsigned j = threadIdx.x; j < width; j += blockDim.x)
      of_x[j] = x[j0 + j];
    __syncthreads();
#pragma unroll
    for (int r = 0; r < rows_per_warp; ++r)
      if (const std::size_t i = first + r * warps; i < rows)
        for (unsigned j = lane; j < width; j += 32)
          dot[r] = fma(a[i * lda + j0 + j], of_x[j], dot[r]);
  }
  T sum = 0;
#pragma unroll
  for (int r = 0; r < rows_per_warp; ++r) {
    const std::size_t i = first + r * warps;
    const T of_row = lanes_sum<32>(dot[r]);
    if (lane == 0 && i < rows) sum = fma(y[i], of_row, sum);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

struct ScratchLimited {
  static constexpr std::string_view algorithm = "yax", name = "scratch_limited";
  static constexpr std::string_view summary = "so much shared memory that few warps fit";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;
  static constexpr unsigned usual_threads = 64;

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &y = call.arrays[0], &a = call.arrays[1], &x = call.arrays[2];
    const std::size_t rows = call.shape[0], columns = call.shape[1];
    const unsigned threads =
        block_size("scratch_limited", scratch_limited<T>, call.launch, usual_threads, 32);
    const std::size_t blocks = ceil_div(rows, threads / 32 * rows_per_warp);
    T* const partial = static_cast<T*>(call.workspace);
    launch("scratch_limited", scratch_limited<T>, blocks, threads, 0, stream, rows, columns,
           y.as<const T>(), a.as<const T>(), a.stride[0], x.as<const T>(), partial);
    sum_partials(partial, blocks, call.arrays[3].as<T>(), stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s, const Launch& asked) {
    const std::size_t warps =
        (asked.team_size == 0 ? usual_threads : static_cast<std::size_t>(asked.team_size)) / 32;
    const std::size_t of_warp = std::min<std::size_t>(ceil_div(s[0], warps), rows_per_warp);
    // A lane's chain, the lanes, the rows of a warp with their products, the warps, the blocks.
    return static_cast<double>(ceil_div(s[1], 32)) + tree_depth(std::min<std::size_t>(s[1], 32)) +
           static_cast<double>(of_warp) + tree_depth(std::min(s[0], warps)) +
           sum_partials_steps(ceil_div(s[0], warps * rows_per_warp));
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return checked_product({ceil_div(s[0], rows_per_warp), sizeof(T)},
                           "yax[scratch_limited]: workspace"); // blocks of a warp
  }
};
const CudaVariant<ScratchLimited> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
