// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, divergent: c[i] = a[i] + b[i]
//   mapping   as coalesced; each sum is turned round bit by bit until it is itself again, in one of
//             two loops: to the left where i / stride is even, to the right where it is odd
//   scratch   none
//   bytes     reads a and b once, writes c once
//   needs     any alignment; up to 2^24 blocks
//   teaches   the 32 lanes of a warp share one instruction counter. Where they disagree on a branch
//             the warp goes both ways, one after the other, with half of its lanes idle: with
//             --stride 1 (default) to 16 each warp does the work of two, with --stride 32 and its
//             multiples, where whole warps agree, of one. The work is the same, and so is the
//             branch; only who takes it is not
#include <ado/core/elements.hpp>
#include <ado/cuda/variant.hpp>
#include <ado/vector_add/variant.hpp>

#include <native_cuda/core/launch.hpp>
#include <native_cuda/vector_add/blocks.hpp>

#include <climits>
#include <cstring>
#include <type_traits>

namespace ado::bench::native {
namespace {

/// `turns`: a multiple of T's bits that the compiler does not know.
template <class T>
__global__ __launch_bounds__(add_threads) void vector_add_divergent(std::size_t n,
                                                                    std::size_t stride, int turns,
                                                                    const T* a, const T* b, T* c) {
  using Bits = ElementOfBytes<sizeof(T)>;
  constexpr int width = 8 * sizeof(T);
  const std::size_t threads = std::size_t{gridDim.x} * add_threads;
  for (std::size_t i = std::size_t{blockIdx.x} * add_threads + threadIdx.x; i < n; i += threads) {
    const T sum = a[i] + b[i];
    Bits bits;
    memcpy(&bits, &sum, sizeof bits);
    if (i / stride % 2 == 0) {
#pragma unroll 1 // so that both loops have the same instructions
      for (int turn = 0; turn < turns; ++turn)
        bits = bits << 1 | bits >> (width - 1);
    } else {
#pragma unroll 1
      for (int turn = 0; turn < turns; ++turn)
        bits = bits >> 1 | bits << (width - 1);
    }
    memcpy(c + i, &bits, sizeof bits);
  }
}

struct Divergent : VectorAddByElements {
  static constexpr std::string_view name = "divergent";
  static constexpr std::string_view summary = "neighbouring lanes take different branches";
  static constexpr bool takes_league_size = true, takes_stride = true;

  static void run(const Call& call, cudaStream_t stream) {
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      const char* name = "vector_add_divergent";
      const std::size_t n = call.shape[0];
      launch(name, vector_add_divergent<T>, blocks_for(n, call.launch.league_size, name),
             add_threads, 0, stream, n, checked_stride(call.launch.stride, 1, INT_MAX, name), 64,
             call.arrays[0].as<const T>(), call.arrays[1].as<const T>(), call.arrays[2].as<T>());
    });
  }
};
const CudaVariant<Divergent> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
