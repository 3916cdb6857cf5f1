// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, strided: c[i] = a[i] + b[i]
//   mapping   the vectors are rows of `stride` elements; thread = every row that comes to it in
//             turn, lanes side by side a row apart; all threads go through their rows' first
//             elements, then the second, ... By default a thread has one row, so a contiguous chunk
//             of its own; with --stride more and shorter rows, each element still once
//   scratch   none
//   bytes     reads a and b once, writes c once in principle; a sector of 32 bytes is moved for
//             each element that is 32 bytes or more from its neighbour lane's, and is not there any
//             more when the row's next element is wanted
//   needs     up to 2^24 blocks; a stride beyond n divided by the threads leaves threads without a
//             row
//   teaches   what a chunk a thread, right on a CPU, costs on a GPU: each access of a warp touches
//             32 sectors. --stride 1,2,4,8,... shows how far it falls, --stride 1 is coalesced
#include <ado/cuda/variant.hpp>
#include <ado/vector_add/accesses.hpp>
#include <ado/vector_add/variant.hpp>

#include <native_cuda/core/launch.hpp>
#include <native_cuda/vector_add/blocks.hpp>

#include <algorithm>
#include <climits>

namespace ado::bench::native {
namespace {

template <class T>
__global__ __launch_bounds__(add_threads) void vector_add_strided(std::size_t n, std::size_t stride,
                                                                  std::size_t rows, const T* a,
                                                                  const T* b, T* c) {
  const std::size_t thread = std::size_t{blockIdx.x} * add_threads + threadIdx.x;
  const std::size_t threads = std::size_t{gridDim.x} * add_threads;
  for (std::size_t j = 0; j < stride; ++j)
    for (std::size_t row = thread; row < rows; row += threads) {
      const std::size_t i = row * stride + j;
      if (i < n) c[i] = a[i] + b[i]; // the last row may be shorter
    }
}

struct Strided : VectorAddVariant {
  static constexpr std::string_view name = "strided";
  static constexpr std::string_view summary = "a contiguous chunk a thread: lanes a stride apart";
  static constexpr bool takes_league_size = true, takes_stride = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch& launch) {
    return vector_add_accesses::strided(s, type, launch.stride);
  }
  static void run(const Call& call, cudaStream_t stream) {
    const std::size_t n = call.shape[0];
    const std::size_t blocks = checked_league_size(
        call.launch.league_size, blocks_of_full_device(add_threads), most_blocks, "strided");
    const std::size_t asked =
        checked_stride(call.launch.stride, ceil_div(n, blocks * add_threads), INT_MAX, "strided");
    const std::size_t apart = std::clamp<std::size_t>(asked, 1, std::max<std::size_t>(n, 1));
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      launch("vector_add_strided", vector_add_strided<T>, blocks, add_threads, 0, stream, n, apart,
             ceil_div(n, apart), call.arrays[0].as<const T>(), call.arrays[1].as<const T>(),
             call.arrays[2].as<T>());
    });
  }
};
const CudaVariant<Strided> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
