// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device helpers that several kernels share: 16-byte packs and sums in a fixed order.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ado::bench::native {

/// Elements of T in 16 bytes, the widest access of a thread.
template <class T>
inline constexpr int pack_size = 16 / static_cast<int>(sizeof(T));

template <class T>
struct alignas(16) Pack {
  T value[pack_size<T>];
};

/// One 16-byte access each. Through functions of CUDA's, because the compiler splits the copy of a
/// Pack, and even of a uint4, into its elements as it sees fit.
template <class T>
__device__ Pack<T> load_pack(const T* from) {
  Pack<T> pack;
  *reinterpret_cast<uint4*>(&pack) = __ldg(reinterpret_cast<const uint4*>(from));
  return pack;
}
template <class T>
__device__ void store_pack(T* to, const Pack<T>& pack) {
  __stwb(reinterpret_cast<uint4*>(to), *reinterpret_cast<const uint4*>(&pack));
}

/// Whether an array of rows can be read in packs: its start and its leading dimension (in bytes)
/// are multiples of 16.
inline bool is_wide(const void* data, std::size_t stride_bytes) {
  return (reinterpret_cast<std::uintptr_t>(data) | stride_bytes) % 16 == 0;
}

/// Sum over `Lanes` neighbouring lanes (a power of two, at most 32), as a tree; every lane gets it.
/// The whole warp must call it.
template <int Lanes, class T>
__device__ T lanes_sum(T value) {
#pragma unroll
  for (int distance = Lanes / 2; distance > 0; distance /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  return value;
}

/// Sum over a block of `Threads` threads, 0: of any number of whole warps. As a tree; thread 0 gets
/// it. The whole block must call it; it may be called again at once.
template <int Threads = 0, class T>
__device__ T block_sum(T value) {
  static_assert(Threads % 32 == 0 && Threads <= 1024);
  __shared__ T of_warp[Threads == 0 ? 32 : Threads / 32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = lanes_sum<32>(value);
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  const unsigned warps = (Threads == 0 ? blockDim.x : Threads) / 32;
  if (warp == 0) value = lanes_sum<32>(lane < warps ? of_warp[lane] : T(0));
  __syncthreads();
  return value;
}

} // namespace ado::bench::native
