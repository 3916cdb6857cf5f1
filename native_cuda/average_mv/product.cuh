// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of average_mv's `team`: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   block = a tile of y, its threads in groups; a group takes its share of the columns j of
//             every slice; thread = 8 x 4 or 4 x 4 elements of y in registers
//   scratch   two slices of 64 to 256 bytes of every row of a and of mean that the tile needs: one
//             is used while the next is copied, past the registers; then what the groups summed
//   bytes     reads a and mean once a row or column of tiles, from L2; writes y once
//   needs     any alignment; 16-byte copies where every row starts on a 16-byte boundary
#pragma once

#include <ado/core/checks.hpp>

#include <cuda_pipeline_primitives.h>
#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>

#include <cstddef>

namespace ado::native {

template <class T>
struct Product {
  std::size_t sets, vectors;
  const T* a;
  std::size_t lda;
  const T* mean; ///< (sets, vectors), rows contiguous
  T* y;
  std::size_t ldy;
};

/// How the threads of a block share a tile of y: groups of 8 x Across threads, each of them with
/// High x Wide elements. In a warp 8 threads stand one below the other: with rows of scratch 16
/// bytes longer than the slice, what they read meets no bank twice.
template <int Across, int High, int Wide, int SliceBytes, int Groups>
struct Tile {
  static constexpr int down = 8, across = Across, high = High, wide = Wide, groups = Groups;
  static constexpr int group_threads = down * across, threads = groups * group_threads;
  static constexpr int rows = down * high, columns = across * wide;
  static constexpr int slice_bytes = SliceBytes;
};
/// More elements a thread mean fewer reads of shared memory an operation, more groups more threads
/// where tiles are few, and rows beyond those of y are work for nothing. H200, ms of f32 / f64:
///   L x N              16 x 2^20      32 x 2^20      512 x 512      1024 x 1024    2048 x 8192
///   LargeTile          0.577 / 0.773  0.548 / 1.119  0.020 / 0.036  0.062 / 0.133  1.83 / 4.13
///   ManyTile           0.590 / 0.790  0.597 / 1.148  0.021 / 0.035  0.070 / 0.120  1.73 / 3.57
///   SmallTile          0.540 / 0.618  0.322 / 0.364  0.013 / 0.023  0.078 / 0.151  2.21 / 4.47
///   FlatTile           0.154 / 0.275  0.172 / 0.252  0.025 / 0.047  0.078 / 0.148  2.33 / 4.37
/// cuBLAS takes 0.066 at 1024 x 1024 and 0.024 at 512 x 512 of f32.
using LargeTile = Tile<16, 8, 4, 128, 2>; // 64 x 64
using ManyTile = Tile<16, 8, 4, 128, 1>;
using SmallTile = Tile<8, 4, 4, 256, 4>; // 32 x 32
using FlatTile = Tile<32, 4, 4, 64, 1>;  // 32 x 128
inline constexpr std::size_t few_tiles = 128, many_tiles = 512;

/// A slice of the rows of a and of mean that a tile needs.
template <class Tile, class T>
struct Slice {
  static constexpr int depth = Tile::slice_bytes / static_cast<int>(sizeof(T));
  static constexpr int lines = Tile::rows + Tile::columns;
  alignas(16) T element[lines][depth + pack_size<T>];

  /// Adds what the `group` makes of its columns.
  __device__ void multiply(T (&sum)[Tile::high][Tile::wide], int group, int row, int column) const {
    constexpr int share = depth / Tile::groups;
#pragma unroll
    for (int j = group * share; j < (group + 1) * share; j += pack_size<T>) {
      Pack<T> a[Tile::high], mean[Tile::wide];
#pragma unroll
      for (int r = 0; r < Tile::high; ++r)
        a[r] = *reinterpret_cast<const Pack<T>*>(&element[row + r * Tile::down][j]);
#pragma unroll
      for (int c = 0; c < Tile::wide; ++c)
        mean[c] =
            *reinterpret_cast<const Pack<T>*>(&element[Tile::rows + column + c * Tile::across][j]);
#pragma unroll
      for (int k = 0; k < pack_size<T>; ++k)
#pragma unroll
        for (int r = 0; r < Tile::high; ++r)
#pragma unroll
          for (int c = 0; c < Tile::wide; ++c)
            sum[r][c] = fma(a[r].value[k], mean[c].value[k], sum[r][c]);
    }
  }
};

/// A thread's part in copying slices: the same places of every slice, `Width` elements each.
template <class Tile, int Width, class T>
struct Copies {
  static constexpr int per_line = Slice<Tile, T>::depth / Width;
  static constexpr int all = Slice<Tile, T>::lines * per_line; ///< of the threads together
  static constexpr int count = (all + Tile::threads - 1) / Tile::threads;
  const T* from[count];
  std::size_t vectors;

  static __device__ int line(int k) {
    return (k * Tile::threads + static_cast<int>(threadIdx.x)) / per_line;
  }
  static __device__ int column() { return static_cast<int>(threadIdx.x) % per_line * Width; }
  /// Whether place k is there: the last one need not be for all threads.
  static __device__ bool has(int k) {
    return all % Tile::threads == 0 || line(k) < Slice<Tile, T>::lines;
  }

  /// Rows beyond the matrices repeat their last one; they reach no result.
  __device__ Copies(const Product<T>& p, std::size_t i0, std::size_t n0) : vectors(p.vectors) {
    static_assert(Tile::threads % per_line == 0);
#pragma unroll
    for (int k = 0; k < count; ++k)
      from[k] = line(k) < Tile::rows
                    ? p.a + min(i0 + line(k), p.vectors - 1) * p.lda
                    : p.mean + min(n0 + line(k) - Tile::rows, p.sets - 1) * p.vectors;
  }
  /// Columns beyond the matrices become 0.
  __device__ void start(Slice<Tile, T>& to, std::size_t j0) const {
    const std::size_t j = j0 + column();
    const std::size_t zeros = j < vectors ? 0 : Width * sizeof(T);
#pragma unroll
    for (int k = 0; k < count; ++k)
      if (has(k))
        __pipeline_memcpy_async(&to.element[line(k)][column()], from[k] + (zeros ? 0 : j),
                                Width * sizeof(T), zeros);
    __pipeline_commit();
  }
};

/// Blocks that a multiprocessor must hold at once; bounds the registers, of which sums of 128 bytes
/// a thread leave room for 512 threads.
template <class Tile, class T>
constexpr int
    product_blocks = (Tile::high * Tile::wide * sizeof(T) <= 128 ? 512 : 256) / Tile::threads;

/// Wide: rows of a and of mean are multiples of 16 bytes long and start on boundaries of 16.
template <class Tile, bool Wide, class T>
__global__ __launch_bounds__(Tile::threads, product_blocks<Tile, T>) void multiply(Product<T> p) {
  using Slice = Slice<Tile, T>;
  __shared__ Slice slices[2];
  const unsigned tiles_down = static_cast<unsigned>((p.vectors + Tile::rows - 1) / Tile::rows);
  const std::size_t i0 = std::size_t{blockIdx.x % tiles_down} * Tile::rows;
  const std::size_t n0 = std::size_t{blockIdx.x / tiles_down} * Tile::columns;
  const int group = threadIdx.x / Tile::group_threads, member = threadIdx.x % Tile::group_threads;
  const int row = member % Tile::down, column = member / Tile::down;

  const Copies<Tile, Wide ? pack_size<T> : 1, T> copies(p, i0, n0);
  T sum[Tile::high][Tile::wide] = {};
  int used = 0;
  copies.start(slices[0], 0);
  for (std::size_t j = 0; j < p.vectors; j += Slice::depth) {
    __pipeline_wait_prior(0);
    __syncthreads(); // this slice is there for all, and nobody uses the other one any more
    if (j + Slice::depth < p.vectors) copies.start(slices[used ^ 1], j + Slice::depth);
    slices[used].multiply(sum, group, row, column);
    used ^= 1;
  }

  if constexpr (Tile::groups > 1) { // the first group adds what the others have
    T(*const others)
    [Tile::high * Tile::wide][Tile::group_threads] =
        reinterpret_cast<T(*)[Tile::high * Tile::wide][Tile::group_threads]>(slices);
    static_assert(sizeof(slices) >= sizeof(T) * (Tile::groups - 1) * Tile::rows * Tile::columns);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Tile::high * Tile::wide; ++k)
      if (group > 0) others[group - 1][k][member] = sum[k / Tile::wide][k % Tile::wide];
    __syncthreads();
    if (group > 0) return;
#pragma unroll
    for (int k = 0; k < Tile::high * Tile::wide; ++k)
#pragma unroll
      for (int other = 0; other < Tile::groups - 1; ++other)
        sum[k / Tile::wide][k % Tile::wide] += others[other][k][member];
  }
#pragma unroll
  for (int k = 0; k < Tile::high * Tile::wide; ++k) {
    const std::size_t i = i0 + row + k / Tile::wide * Tile::down;
    const std::size_t n = n0 + column + k % Tile::wide * Tile::across;
    if (i < p.vectors && n < p.sets) p.y[i * p.ldy + n] = sum[k / Tile::wide][k % Tile::wide];
  }
}

template <class Tile>
std::size_t tile_count(std::size_t sets, std::size_t vectors) {
  return ceil_div(vectors, Tile::rows) * ceil_div(sets, Tile::columns);
}
/// Calls f with the tile for y of `vectors` rows and `sets` columns: f.operator()<Tile>().
template <class T, class F>
auto with_product_tile(std::size_t sets, std::size_t vectors, F&& f) {
  const std::size_t tiles = tile_count<LargeTile>(sets, vectors);
  if (vectors <= FlatTile::rows && tile_count<FlatTile>(sets, vectors) >= few_tiles)
    return f.template operator()<FlatTile>();
  if (tiles < few_tiles || vectors <= FlatTile::rows) return f.template operator()<SmallTile>();
  if (sizeof(T) == 8 || tiles >= many_tiles) return f.template operator()<ManyTile>();
  return f.template operator()<LargeTile>();
}

template <class Tile, class T>
void launch_product(const Product<T>& p, cudaStream_t stream) {
  const std::size_t row_bytes = p.vectors * sizeof(T);
  const bool wide = is_wide(p.a, p.lda * sizeof(T)) && is_wide(p.mean, row_bytes);
  launch("multiply", wide ? multiply<Tile, true, T> : multiply<Tile, false, T>,
         tile_count<Tile>(p.sets, p.vectors), Tile::threads, 0, stream, p);
}

/// Asynchronous on `stream`.
template <class T>
void product(const Product<T>& p, cudaStream_t stream) {
  with_product_tile<T>(p.sets, p.vectors, [&]<class Tile>() { launch_product<Tile>(p, stream); });
}

template <class Tile, class T>
double product_steps_of(std::size_t vectors) {
  constexpr std::size_t depth = Slice<Tile, T>::depth, share = depth / Tile::groups;
  const std::size_t rest = vectors % depth;
  const std::size_t of_first = vectors / depth * share + (rest < share ? rest : share);
  const std::size_t groups = vectors < depth ? ceil_div(vectors, share) : Tile::groups;
  return static_cast<double>(of_first + groups) - 1;
}

/// Roundings on the longest path: the multiply-adds of the first group, then one addition for each
/// other group that has columns.
template <class T>
double product_steps(std::size_t sets, std::size_t vectors) {
  return with_product_tile<T>(sets, vectors,
                              [&]<class Tile>() { return product_steps_of<Tile, T>(vectors); });
}

} // namespace ado::native
