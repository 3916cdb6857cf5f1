// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, both steps in one kernel, for sets of few short vectors:
//   mapping   block = all rows of y for some sets; averaging: several vectors a thread; product: the
//             tensor cores of the block's warps (product_mma.cuh)
//   scratch   a, and below it the means of the sets
//   bytes     reads v once, writes y once; a from cache, once a block
//   needs     tensor cores for doubles; any alignment
//   teaches   means that are as large as what they are made of had better not go to memory, and while
//             one block multiplies another one reads
#pragma once

#include <ado/core/checks.hpp>

#include <native_cuda/average_mv/product_mma.cuh>
#include <native_cuda/average_mv/product_slices.cuh>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/core/rows.cuh>

#include <cstddef>
#include <type_traits>

namespace ado::native {

inline constexpr std::size_t most_fused_vectors = 64; ///< of a set: shared memory holds a

/// Bytes of a row of shared memory, for up to 16 * Down vectors a set.
template <class T, int Down>
inline constexpr int row_bytes = static_cast<int>(16 * Down * sizeof(T));
/// Tiles of a warp side by side, so as many sets as 48 KB and the registers allow.
template <class T, int Down>
inline constexpr int most_wide = sizeof(T) == 8 ? 1 : (Down == 4 ? 4 : 2);

/// All rows of y for many sets, and for few where there are not enough of the former for all multiprocessors.
template <class T, int Down>
using ManySets = MmaTile<1, most_wide<T, Down>, Down, 8 / Down, row_bytes<T, Down>, 1>;
template <class T, int Down>
using FewSets = MmaTile<1, 1, Down, 2, row_bytes<T, Down>, 1>;
inline constexpr std::size_t few_blocks = 128;

/// Whether this kernel is the one for sets of `length` vectors of `count` elements: where vectors are so
/// short that each is one thread's; of few sets even shorter ones, for a thread averages several. H200, us,
/// this kernel and the two: f32 31^3 5.3, 6.6; 48^3 7.4, 6.2; 61^3 13.3, 9.0; f64 24^3 5.7, 5.9; 31^3 6.6, 6.8.
template <class T>
bool are_fused(std::size_t sets, std::size_t length, std::size_t count) {
  constexpr std::size_t most_of_few = 32;
  const bool few = sets < few_blocks * FewSets<T, 1>::columns;
  return length > 0 && length <= most_fused_vectors && map_rows(1, count, sizeof(T)).lanes == 1 &&
         (!few || count <= most_of_few) && tensor_cores_multiply<T>();
}

/// What is read: vectors of `count` elements.
template <class T>
struct SetVectors {
  const T* data;
  std::size_t set_stride, vector_stride;
  unsigned count;
};

/// What stands for the number of 16-byte loads of a vector where these are more than four, or single elements.
inline constexpr int long_packs = stripes_in_flight, no_packs = 0;
/// Whether a thread has several vectors at once.
template <int Packs>
inline constexpr bool several_vectors = (Packs != no_packs) && (Packs != long_packs);
/// Bounds the registers.
template <int Packs>
inline constexpr int resident_threads = several_vectors<Packs> ? 1024 : 768;

/// Means of vector threadIdx.x % Tile::rows of all sets of the block, from `first` on. Packs: at most so
/// many 16-byte loads make a vector, and eight loads of several vectors are in flight; or one of the above.
template <int Packs, class Tile, class T>
__device__ void average_sets(const SetVectors<T>& v, std::size_t first, const Product<T>& p,
                             Slice<Tile, T>& slice) {
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
      slice.element[Tile::rows + set + k * apart][l] =
          there(k) ? sum[k] / static_cast<T>(v.count) : 0;
  }
}

/// `mean` of p is not used. Packs as in average_sets.
template <class Tile, int Packs, class T>
__global__ __launch_bounds__(Tile::threads,
                             resident_threads<Packs> / Tile::threads) void fused(SetVectors<T> v,
                                                                                 Product<T> p) {
  __shared__ Slice<Tile, T> slices[1];
  Slice<Tile, T>& slice = slices[0];
  constexpr unsigned pitch = Tile::rows; // lines and columns that the tensor cores take
  const std::size_t first = std::size_t{blockIdx.x} * Tile::columns;
#pragma unroll 4
  for (unsigned e = threadIdx.x; e < pitch * pitch; e += Tile::threads) {
    const unsigned i = e / pitch, j = e % pitch;
    const bool valid = i < p.length && j < p.length; // zeros beyond a, and beyond the means
    __pipeline_memcpy_async(&slice.element[i][j], valid ? p.a + i * p.lda + j : nullptr, sizeof(T),
                            valid ? 0 : sizeof(T));
  }
  __pipeline_commit();
  average_sets<Packs>(v, first, p, slice);
  __pipeline_wait_prior(0);
  __syncthreads();
  typename Tile::template Sums<T> sums;
  sums.add(slice);
  sums.store(p, 0, first, slices);
}

/// Calls f with the tile for `sets` sets: f.operator()<Tile>().
template <class T, int Down = 4, class F>
void with_fused_tile(std::size_t sets, std::size_t length, F&& f) {
  if constexpr (Down > 1)
    if (length <= 8 * Down) return with_fused_tile<T, Down / 2>(sets, length, f);
  if (ceil_div(sets, ManySets<T, Down>::columns) < few_blocks)
    return f.template operator()<FewSets<T, Down>>();
  f.template operator()<ManySets<T, Down>>();
}

/// Asynchronous on `stream`; where are_fused().
template <class T>
void average_and_multiply(const SetVectors<T>& v, const Product<T>& p, cudaStream_t stream) {
  const bool wide = is_wide(v.data, v.vector_stride * sizeof(T)) &&
                    is_wide(v.data, v.set_stride * sizeof(T)) && v.count % pack_size<T> == 0;
  const unsigned packs = wide ? v.count / pack_size<T> : 0;
  with_fused_tile<T>(p.sets, p.length, [&]<class Tile>() {
    const auto launch_with = [&](auto constant) {
      launch("fused", fused<Tile, constant(), T>, ceil_div(p.sets, Tile::columns), Tile::threads, 0,
             stream, v, p);
    };
    if (packs == 0)
      launch_with(std::integral_constant<int, no_packs>());
    else if (packs == 1)
      launch_with(std::integral_constant<int, 1>());
    else if (packs == 2)
      launch_with(std::integral_constant<int, 2>());
    else if (packs <= 4)
      launch_with(std::integral_constant<int, 4>());
    else
      launch_with(std::integral_constant<int, long_packs>());
  });
}

} // namespace ado::native
