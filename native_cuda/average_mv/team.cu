// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, team: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   first average, team, into the workspace; then one kernel for the product a * mean^T:
//             block = a tile of y, 256 threads; thread = 8 x 8 to 2 x 2 elements of y in
//             registers, by the size of y; lane = neighbouring n
//   scratch   two slices of 64 bytes of each row of a and of mean that the tile needs: one is used
//             while the next is loaded; workspace N x L for the means
//   bytes     reads v and a once from memory, writes y once; the means and re-reads stay in L2
//   needs     any alignment, any size; every element of y sums its products from j = 0 up
//   teaches   against block_per_set: all of v is read at full rate, and a is read once a tile of
//             sets instead of once a set
#include <ado/core/checks.hpp>

#include <native_cuda/average/average.hpp>
#include <native_cuda/average_mv/average_mv.hpp>
#include <native_cuda/core/device.cuh>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/core/variant.hpp>

#include <type_traits>

namespace ado::native {
namespace {

// A block is a grid of 16 x 16 threads over its tile of y.
constexpr int side = 16, threads = side * side;

/// Place in the tile of element k of a thread's `Count` rows (or columns): packs of neighbouring
/// threads are neighbours, so that reading them meets no bank twice.
template <class T, int Count>
struct Spread {
  static constexpr int width = Count < pack_size<T> ? Count : pack_size<T>;
  static __device__ int place(int thread, int k) {
    return (k / width * side + thread) * width + k % width;
  }
  /// Those elements of a row of shared memory.
  static __device__ void read(T (&to)[Count], const T* from, int thread) {
    using Access = std::conditional_t<width * sizeof(T) == 16, uint4, uint2>;
#pragma unroll
    for (int k = 0; k < Count; k += width)
      *reinterpret_cast<Access*>(to + k) =
          *reinterpret_cast<const Access*>(from + place(thread, k));
  }
};

/// A slice of `Rows` rows x `Depth` columns on its way into shared memory, where it lies
/// transposed.
template <class T, int Rows, int Depth>
struct Slice {
  static constexpr int each = Rows * Depth / threads;
  static constexpr int pitch =
      Rows + pack_size<T>; // keeps packs aligned, spreads stores over banks
  T value[each];

  /// Rows beyond the matrix repeat its last one, they reach no result; columns beyond it are 0.
  __device__ void load(const T* matrix, std::size_t ld, std::size_t row0, std::size_t rows,
                       std::size_t col0, std::size_t cols) {
    const std::size_t col = col0 + threadIdx.x % Depth;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const std::size_t row = row0 + threadIdx.x / Depth + k * (threads / Depth);
      value[k] = col < cols ? matrix[min(row, rows - 1) * ld + col] : T(0);
    }
  }
  __device__ void store(T (&shared)[Depth][pitch]) const {
#pragma unroll
    for (int k = 0; k < each; ++k)
      shared[threadIdx.x % Depth][threadIdx.x / Depth + k * (threads / Depth)] = value[k];
  }
};

/// y = a * mean^T for a of vectors x vectors, mean of sets x vectors; a thread has High rows x Wide
/// columns of y.
template <int High, int Wide, class T>
__global__ __launch_bounds__(threads) void multiply(std::size_t sets, std::size_t vectors,
                                                    const T* a, std::size_t lda, const T* mean,
                                                    T* y, std::size_t ldy) {
  constexpr int tile_rows = High * side, tile_cols = Wide * side;
  constexpr int depth = 64 / sizeof(T);
  // H200: all 16 steps unrolled gain 5% on f32 tiles of 8 x 4 (L = N = 1024, 0.077 ms against
  // 0.082) and 2 x 2, and lose on the others (4 x 4, L = 4096, N = 128: 0.32 ms against 0.23).
  constexpr int unroll = sizeof(T) == 4 && (High != Wide || High == 2) ? depth : 4;
  using SliceA = Slice<T, tile_rows, depth>;
  using SliceMean = Slice<T, tile_cols, depth>;
  using RowsOfY = Spread<T, High>;
  using ColsOfY = Spread<T, Wide>;
  __shared__ alignas(16) T a_shared[2][depth][SliceA::pitch];
  __shared__ alignas(16) T mean_shared[2][depth][SliceMean::pitch];

  const unsigned down = static_cast<unsigned>((vectors + tile_rows - 1) / tile_rows);
  const std::size_t i0 = std::size_t{blockIdx.x % down} * tile_rows;
  const std::size_t n0 = std::size_t{blockIdx.x / down} * tile_cols;
  const int row = threadIdx.x / side, col = threadIdx.x % side;
  SliceA a_next;
  SliceMean mean_next;
  const auto load = [&](std::size_t j) {
    a_next.load(a, lda, i0, vectors, j, vectors);
    mean_next.load(mean, vectors, n0, sets, j, vectors);
  };
  const auto store = [&](int buffer) {
    a_next.store(a_shared[buffer]);
    mean_next.store(mean_shared[buffer]);
    __syncthreads();
  };

  T sum[High][Wide] = {};
  load(0);
  store(0);
  int buffer = 0;
  for (std::size_t j = 0; j < vectors; j += depth) {
    const bool more = j + depth < vectors;
    if (more) load(j + depth);
#pragma unroll unroll
    for (int k = 0; k < depth; ++k) {
      alignas(16) T a_part[High], mean_part[Wide];
      RowsOfY::read(a_part, a_shared[buffer][k], row);
      ColsOfY::read(mean_part, mean_shared[buffer][k], col);
#pragma unroll
      for (int r = 0; r < High; ++r)
#pragma unroll
        for (int c = 0; c < Wide; ++c)
          sum[r][c] = fma(a_part[r], mean_part[c], sum[r][c]);
    }
    buffer ^= 1;
    if (more) store(buffer); // the other one: slower threads may still read this one
  }
#pragma unroll
  for (int r = 0; r < High; ++r)
#pragma unroll
    for (int c = 0; c < Wide; ++c) {
      const std::size_t i = i0 + RowsOfY::place(row, r), n = n0 + ColsOfY::place(col, c);
      if (i < vectors && n < sets) y[i * ldy + n] = sum[r][c];
    }
}

/// Larger tiles need fewer reads of shared memory an operation, but enough of them must be there to
/// occupy the device. H200, L = N = 1024, f32: 128 tiles of 8 x 4 elements a thread take 0.077 ms,
/// 64 of 8 x 8 0.133, 256 of 4 x 4 0.094.
template <int High, int Wide, class T>
bool multiply_with(std::size_t least_blocks, std::size_t sets, std::size_t vectors, const T* a,
                   std::size_t lda, const T* mean, T* y, std::size_t ldy, cudaStream_t stream) {
  const std::size_t blocks = ceil_div(vectors, side * High) * ceil_div(sets, side * Wide);
  if (blocks < least_blocks) return false;
  launch("multiply", multiply<High, Wide, T>, blocks, threads, 0, stream, sets, vectors, a, lda,
         mean, y, ldy);
  return true;
}

} // namespace

template <class T>
std::size_t average_mv_workspace_bytes(std::size_t sets, std::size_t vectors, std::size_t length) {
  return round_up(sets * vectors * sizeof(T), 256) +
         average_workspace_bytes<T>(sets, vectors, length);
}

template <class T>
void average_mv(std::size_t sets, std::size_t vectors, std::size_t length, const T* v,
                std::size_t set_stride, std::size_t vector_stride, const T* a, std::size_t lda,
                T* y, std::size_t ldy, void* workspace, cudaStream_t stream) {
  T* const mean = static_cast<T*>(workspace);
  void* const rest = static_cast<char*>(workspace) + round_up(sets * vectors * sizeof(T), 256);
  average(sets, vectors, length, v, set_stride, vector_stride, mean, vectors, rest, stream);
  multiply_with<8, 8>(256, sets, vectors, a, lda, mean, y, ldy, stream) ||
      multiply_with<8, 4>(96, sets, vectors, a, lda, mean, y, ldy, stream) ||
      multiply_with<4, 4>(96, sets, vectors, a, lda, mean, y, ldy, stream) ||
      multiply_with<2, 2>(0, sets, vectors, a, lda, mean, y, ldy, stream);
}

template std::size_t average_mv_workspace_bytes<float>(std::size_t, std::size_t, std::size_t);
template std::size_t average_mv_workspace_bytes<double>(std::size_t, std::size_t, std::size_t);
template void average_mv(std::size_t, std::size_t, std::size_t, const float*, std::size_t,
                         std::size_t, const float*, std::size_t, float*, std::size_t, void*,
                         cudaStream_t);
template void average_mv(std::size_t, std::size_t, std::size_t, const double*, std::size_t,
                         std::size_t, const double*, std::size_t, double*, std::size_t, void*,
                         cudaStream_t);

namespace {

struct AverageMvTeam {
  static constexpr std::string_view algorithm = "average_mv", name = "team";
  static constexpr std::string_view summary =
      "best: averaging at the read ceiling, then one tiled product for all sets";
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &v = call.arrays[0], &a = call.arrays[1], &y = call.arrays[2];
    const auto [sets, vectors, length] = call.shape;
    average_mv(sets, vectors, length, v.as<const T>(), v.stride[0], v.stride[1], a.as<const T>(),
               a.stride[0], y.as<T>(), y.stride[0], call.workspace, stream);
  }
  /// Those of the mean, then one multiply-add a product.
  template <class T>
  static double rounding_steps(const Shape& s) {
    return average_rounding_steps<T>(s[0], s[1], s[2]) + static_cast<double>(s[1]);
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return average_mv_workspace_bytes<T>(s[0], s[1], s[2]);
  }
};
const CudaVariant<AverageMvTeam> registered{__FILE__};

} // namespace
} // namespace ado::native
