// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, both steps in one kernel, for many sets of few short vectors:
//   mapping   block = all rows of y for some sets; averaging: several vectors a thread; product:
//             the tensor cores of the block's warps (product_mma.cuh)
//   scratch   a, and below it the means of the sets
//   bytes     reads v once, writes y once; a from cache, once a block
//   needs     tensor cores for doubles; any alignment
//   teaches   means that are as large as what they are made of had better not go to memory, and
//             while one block multiplies another one reads
#pragma once

#include <ado/average_mv/detail/product/plan.hpp>
#include <ado/core/checks.hpp>

#include <native_cuda/average_mv/product_mma.cuh>
#include <native_cuda/average_mv/product_stages.cuh>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/core/rows.cuh>

#include <cstddef>
#include <type_traits>

namespace ado::bench::native {

namespace fused_plan = detail::fused_plan;

/// Whether this kernel is the one for sets of `length` vectors of `count` elements.
template <class T>
bool are_fused(std::size_t sets, std::size_t length, std::size_t count) {
  return length > 0 && fused_plan::fits<T>(sets, length, count) && tensor_cores_multiply<T>();
}

/// What is read: vectors of `count` elements.
template <class T>
struct SetVectors {
  const T* data;
  std::size_t set_stride, vector_stride;
  unsigned count;
};

/// Stands for the number of 16-byte loads of a vector where these are more than four, or single
/// elements.
inline constexpr int long_packs = stripes_in_flight, no_packs = 0;
/// Whether a thread has several vectors at once.
template <int Packs>
inline constexpr bool several_vectors = (Packs != no_packs) && (Packs != long_packs);
/// Bounds the registers.
template <int Packs>
inline constexpr int resident_threads = several_vectors<Packs> ? 1024 : 768;

/// Means of vector threadIdx.x % Tile::rows of all sets of the block, from `first` on. Packs: the
/// largest number of 16-byte loads of a vector, with eight loads of several vectors in flight; or
/// one of the above.
template <int Packs, class Tile, class T>
__device__ void average_sets(const SetVectors<T>& v, std::size_t first, const Product<T>& p,
                             Stage<Tile, T>& stage) {
  constexpr int apart = Tile::threads / Tile::rows, of_thread = Tile::columns / apart;
  constexpr bool several = several_vectors<Packs>;
  constexpr int most = several ? stripes_in_flight / (several ? Packs : 1) : 1;
  constexpr int at_once = most < of_thread ? most : of_thread;
  const unsigned l = threadIdx.x % Tile::rows, packs = v.count / pack_size<T>;
  const auto sets = static_cast<int>(min(p.sets - first, std::size_t{Tile::columns}));
#pragma unroll 1
  for (unsigned set = threadIdx.x / Tile::rows; set < Tile::columns; set += at_once * apart) {
    const T* const begin = v.data + (first + set) * v.set_stride + l * v.vector_stride;
    const int left = l < p.length ? sets - static_cast<int>(set) : 0;
    const auto there = [&](int k) { return k * apart < left; };
    T sum[at_once]{};
    if constexpr (several) {
      Pack<T> part[at_once][Packs];
#pragma unroll
      for (int k = 0; k < at_once; ++k)
#pragma unroll
        for (int q = 0; q < Packs; ++q)
          part[k][q] = there(k) && q < packs
                           ? load_pack(begin + k * apart * v.set_stride + q * pack_size<T>)
                           : Pack<T>{};
#pragma unroll
      for (int k = 0; k < at_once; ++k) {
#pragma unroll
        for (int q = 1; q < Packs; ++q)
          Elements{}.template add<1, true>(part[k][0], part[k][q], 0, 0);
        sum[k] = pack_sum(part[k][0]);
      }
    } else if (there(0)) {
      sum[0] = lane_sum<1, Packs == long_packs>(begin, v.count, 0, Elements{});
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k)
      stage.element[Tile::rows + set + k * apart][l] =
          there(k) ? sum[k] / static_cast<T>(v.count) : 0;
  }
}

/// `mean` of p is not used. Packs as in average_sets.
template <class Tile, int Packs, class T>
__global__ __launch_bounds__(Tile::threads,
                             resident_threads<Packs> / Tile::threads) void fused(SetVectors<T> v,
                                                                                 Product<T> p) {
  __shared__ Stage<Tile, T> stages[1];
  Stage<Tile, T>& stage = stages[0];
  constexpr unsigned pitch = Tile::rows; // lines and columns that the tensor cores take
  const std::size_t first = std::size_t{blockIdx.x} * Tile::columns;
#pragma unroll 4
  for (unsigned e = threadIdx.x; e < pitch * pitch; e += Tile::threads) {
    const unsigned i = e / pitch, j = e % pitch;
    const bool valid = i < p.length && j < p.length; // zeros beyond a, and beyond the means
    __pipeline_memcpy_async(&stage.element[i][j], valid ? p.a + i * p.lda + j : nullptr, sizeof(T),
                            valid ? 0 : sizeof(T));
  }
  __pipeline_commit();
  average_sets<Packs>(v, first, p, stage);
  __pipeline_wait_prior(0);
  __syncthreads();
  MmaSums<Tile, false, T> sums(p, 0, first);
  sums.add(stage);
  sums.store(p, 0, first, stages);
}

/// Asynchronous on `stream`; where are_fused().
template <class T>
void average_and_multiply(const SetVectors<T>& v, const Product<T>& p, cudaStream_t stream) {
  const bool wide = is_wide(v.data, v.vector_stride * sizeof(T)) &&
                    is_wide(v.data, v.set_stride * sizeof(T)) && v.count % pack_size<T> == 0;
  const std::size_t packs = wide ? v.count / pack_size<T> : no_packs;
  const int taken = packs <= 2 ? static_cast<int>(packs) : packs <= 4 ? 4 : long_packs;
  fused_plan::with_tile<T>(p.length, p.sets_of_all, [&]<class Tile>() {
    with_constant<no_packs, 1, 2, 4, long_packs>(taken, [&](auto constant) {
      launch("fused", fused<Tile, constant, T>, ceil_div(p.sets, Tile::columns), Tile::threads, 0,
             stream, v, p);
    });
  });
}

} // namespace ado::bench::native
