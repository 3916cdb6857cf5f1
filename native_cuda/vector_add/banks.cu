// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, banks: c[i] = a[i] + b[i]
//   mapping   block = 1024 sums, which go through shared memory: they are stored there, change
//             places with their neighbours eight times, and are read from there; lanes side by side
//             are a stride apart in shared memory (banks.hpp of the portable one)
//   scratch   two tiles of 1024 elements of shared memory
//   bytes     reads a and b once, writes c once; 18 accesses to shared memory an element
//   needs     any alignment; a stride up to 33
//   teaches   shared memory lies in 32 banks, each of which serves one word of 4 bytes at a time:
//             with --stride 1 the 32 lanes meet 32 banks, with 2 half as many, two lanes in each,
//             with 32 (default) one, and wait for each other. With 33, which is what one element of
//             padding makes of 32, they meet all again. Elements of 8 bytes take two passes at
//             least
#include <ado/cuda/variant.hpp>
#include <ado/vector_add/accesses.hpp>
#include <ado/vector_add/banks.hpp>
#include <ado/vector_add/variant.hpp>

#include <native_cuda/core/launch.hpp>

namespace ado::bench::native {
namespace {

constexpr unsigned threads = 256;

__device__ unsigned place(const BanksPlaces& places, unsigned k) {
  return k * places.stride % banks_tile + (k >> places.period_bits);
}

template <class T>
__global__ __launch_bounds__(threads) void vector_add_banks(std::size_t n, BanksPlaces places,
                                                            const T* a, const T* b, T* c) {
  __shared__ T here[banks_tile], there[banks_tile];
  const std::size_t first = std::size_t{blockIdx.x} * banks_tile;
  for (unsigned k = threadIdx.x; k < banks_tile; k += threads)
    here[place(places, k)] = first + k < n ? a[first + k] + b[first + k] : T(0);
  __syncthreads();
  for (int trip = 0; trip < banks_round_trips; ++trip) {
    for (unsigned k = threadIdx.x; k < banks_tile; k += threads)
      there[place(places, k)] = here[place(places, k ^ 1)];
    __syncthreads();
    for (unsigned k = threadIdx.x; k < banks_tile; k += threads)
      here[place(places, k)] = there[place(places, k ^ 1)];
    __syncthreads();
  }
  for (unsigned k = threadIdx.x; k < banks_tile; k += threads)
    if (first + k < n) c[first + k] = here[place(places, k)];
}

struct Banks : VectorAddVariant {
  static constexpr std::string_view name = "banks";
  static constexpr std::string_view summary = "through shared memory with lanes a stride apart";
  static constexpr bool takes_stride = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch& launch) {
    return vector_add_accesses::banks(s, type, launch.stride);
  }
  static void run(const Call& call, cudaStream_t stream) {
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      const std::size_t n = call.shape[0];
      launch("vector_add_banks", vector_add_banks<T>, ceil_div(n, banks_tile), threads, 0, stream,
             n, BanksPlaces(call.launch.stride, "vector_add_banks"), call.arrays[0].as<const T>(),
             call.arrays[1].as<const T>(), call.arrays[2].as<T>());
    });
  }
};
const CudaVariant<Banks> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
