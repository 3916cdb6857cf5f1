// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, register_limited: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   as row_per_vector; a lane asks for 256 bytes of its row, 32 elements of 8 bytes,
//             before it uses the first
//   scratch   32 elements of shared memory; workspace of one element a block
//   bytes     reads a once, x once a row (from L2), y once
//   needs     any alignment; any block of whole warps up to 256 threads
//   teaches   what a lane holds takes registers, of which a multiprocessor has 65536: about 150 a
//             thread (nvcc 13.0 for an H200) leave room for one block of 256, 8 of its 64 warps,
//             see --launches. Smaller blocks, --team-size 128 or 64, fill what it leaves over, 12
//             warps; row_per_vector, with four loads at a time, fills nearly all. What more warps
//             would buy is bytes in flight while the memory answers, and these 8 have 64 KiB, more
//             than an H200 asks for: occupancy is one way to have them, not the aim. It helps where
//             each lane has little in flight, as in scratch_limited
#include <ado/cuda/variant.hpp>
#include <ado/yax/accesses.hpp>

#include <native_cuda/yax/sum_partials.cuh>

#include <algorithm>

namespace ado::bench::native {
namespace {

constexpr unsigned usual_threads = 256;

template <class T>
__global__ __launch_bounds__(usual_threads,
                             1) void register_limited(std::size_t rows, std::size_t columns,
                                                      const T* y, const T* a, std::size_t lda,
                                                      const T* x, T* partial) {
  constexpr unsigned together = 256 / sizeof(T);
  const unsigned lane = threadIdx.x % 32;
  const std::size_t i = (std::size_t{blockIdx.x} * blockDim.x + threadIdx.x) / 32;
  T dot = 0;
  if (i < rows) {
    std::size_t j = lane;
#pragma unroll 1 // twice the body would hold twice the registers
    for (; j + (together - 1) * 32 < columns; j += together * 32) {
      T held[together];
#pragma unroll
      for (unsigned k = 0; k < together; ++k)
        held[k] = a[i * lda + j + k * 32];
#pragma unroll
      for (unsigned k = 0; k < together; ++k)
        dot = fma(held[k], x[j + k * 32], dot);
    }
    for (; j < columns; j += 32)
      dot = fma(a[i * lda + j], x[j], dot);
  }
  dot = lanes_sum<32>(dot);
  const T sum = block_sum(lane == 0 && i < rows ? y[i] * dot : T(0));
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

struct RegisterLimited {
  static constexpr std::string_view algorithm = "yax", name = "register_limited";
  static constexpr std::string_view summary = "so many loads at once that few warps have registers";
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
        block_size("register_limited", register_limited<T>, call.launch, usual_threads, 32);
    const std::size_t blocks = ceil_div(rows, threads / 32);
    T* const partial = static_cast<T*>(call.workspace);
    launch("register_limited", register_limited<T>, blocks, threads, 0, stream, rows, columns,
           y.as<const T>(), a.as<const T>(), a.stride[0], x.as<const T>(), partial);
    sum_partials(partial, blocks, call.arrays[3].as<T>(), stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s, const Launch& asked) {
    const std::size_t threads =
        asked.team_size == 0 ? usual_threads : static_cast<std::size_t>(asked.team_size);
    const std::size_t per_block = threads / 32;
    return static_cast<double>(ceil_div(s[1], 32)) + tree_depth(std::min<std::size_t>(s[1], 32)) +
           1 + tree_depth(std::min(s[0], per_block)) +
           sum_partials_steps(ceil_div(s[0], per_block));
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return checked_product({s[0], sizeof(T)},
                           "yax[register_limited]: workspace"); // blocks of a warp
  }
};
const CudaVariant<RegisterLimited> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
