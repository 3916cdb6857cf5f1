// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, wide: c[i] = a[i] + b[i]
//   mapping   as coalesced, a thread moves packs of 16 bytes
//   scratch   none
//   bytes     reads a and b once, writes c once
//   needs     packs where a, b and c all start on boundaries of 16 bytes, elsewhere an element at a
//             time; up to 2^24 blocks
//   teaches   against coalesced: the same bytes in a quarter of the instructions (half with 8-byte
//             elements), and as many more of them in flight. Memory that is busy already gains
//             nothing; with --league-size few blocks show the difference. Left: vectors that start
//             off a boundary, which team mends
#include <ado/vector_add/variant.hpp>

#include <native_cuda/vector_add/elements.cuh>

namespace ado::bench::native {
namespace {

template <class T>
__global__ __launch_bounds__(add_threads) void vector_add_packs(std::size_t n, const T* a,
                                                                const T* b, T* c) {
  constexpr int size = pack_size<T>;
  const std::size_t threads = std::size_t{gridDim.x} * add_threads;
  const std::size_t thread = std::size_t{blockIdx.x} * add_threads + threadIdx.x;
  for (std::size_t pack = thread; pack < n / size; pack += threads) {
    Pack<T> sum = load_pack(a + pack * size);
    const Pack<T> of_b = load_pack(b + pack * size);
#pragma unroll
    for (int k = 0; k < size; ++k)
      sum.value[k] += of_b.value[k];
    store_pack(c + pack * size, sum);
  }
  const std::size_t i = n / size * size + thread; // less than a pack is left
  if (i < n) c[i] = a[i] + b[i];
}

struct Wide : VectorAddByPacks {
  static constexpr std::string_view name = "wide";
  static constexpr std::string_view summary = "16-byte accesses";
  static constexpr bool takes_league_size = true;

  static void run(const Call& call, cudaStream_t stream) {
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      const char* name = "vector_add_wide";
      const std::size_t n = call.shape[0];
      const Array &a = call.arrays[0], &b = call.arrays[1], &c = call.arrays[2];
      if (!is_wide(a.data, 0) || !is_wide(b.data, 0) || !is_wide(c.data, 0))
        return launch_elements<T>(name, call, stream);
      const std::size_t packs = ceil_div(n, pack_size<T>);
      launch(name, vector_add_packs<T>, blocks_for(packs, call.launch.league_size, name),
             add_threads, 0, stream, n, a.as<const T>(), b.as<const T>(), c.as<T>());
    });
  }
};
const CudaVariant<Wide> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
