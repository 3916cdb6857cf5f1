// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, team: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   block = 256 threads; a row goes to 1, 4, 16 or 32 lanes by its length, a long one to
//             a block, a long one of few to several blocks. A block adds y[i] * dot of its rows;
//             the block that ends last adds the blocks', in the order of their numbers. Where they
//             are very many, or share rows, a second kernel of one block does
//   scratch   8 elements of shared memory; workspace of a counter and one element a block
//   bytes     reads a and y once from memory, x once a row from L2
//   needs     any alignment; 16-byte loads where x and every row start on a 16-byte boundary
//   teaches   against row_per_thread: neighbouring lanes read neighbouring bytes, 16 each, and a
//             thread has 128 bytes of a in flight before it uses the first

#include <ado/cuda/variant.hpp>
#include <ado/yax/cuda_plan.hpp>

#include <native_cuda/core/rows.cuh>
#include <native_cuda/yax/sum_partials.cuh>
#include <native_cuda/yax/yax.hpp>

#include <algorithm>

namespace ado::bench::native {
namespace {

// Blocks a multiprocessor must hold; bounds the registers (docs/lab/constants.md#yax).
constexpr int resident_blocks = 3;

/// partial[b] = sum of y[i] * dot over the rows_per_block rows of block b. If Joins, the last block
/// adds them up. Without that code all loads of a come before the first product: with it, some wait
/// for registers.
template <int Lanes, bool Wide, bool Joins, class T>
__global__ __launch_bounds__(row_threads, resident_blocks) void whole_rows(
    std::size_t rows, std::size_t columns, const T* y, const T* a, std::size_t lda, const T* x,
    std::size_t rows_per_block, T* partial, unsigned* arrived, T* result) {
  constexpr unsigned together = row_threads / Lanes; // rows that a block works on at once
  const unsigned lane = threadIdx.x % Lanes;
  const std::size_t end = min(rows, (std::size_t{blockIdx.x} + 1) * rows_per_block);
  T sum = 0;
  for (std::size_t first = std::size_t{blockIdx.x} * rows_per_block; first < end;
       first += together) {
    const std::size_t i = first + threadIdx.x / Lanes;
    const T weight = lane == 0 && i < end ? y[i] : T(0); // early: its latency hides under the row
    T dot = 0;
    if (i < end) dot = lane_sum<Lanes, Wide>(a + i * lda, columns, lane, Products<T>{x});
    dot = row_sum<Lanes>(dot);
    if (lane == 0 && i < end) sum = fma(weight, dot, sum);
  }
  if constexpr (Lanes < row_threads) sum = block_sum<row_threads>(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  if constexpr (Joins)
    if (is_last_block(arrived)) sum_by_block<row_threads>(partial, gridDim.x, result);
}

/// partial[i * pieces + p] = dot of piece p of row i; a block a piece, neighbouring blocks the same
/// piece of x. Not yet times y[i]: with y[i] infinite and pieces of both signs that would make a
/// NaN of what is an infinity.
template <bool Wide, class T>
__global__ __launch_bounds__(row_threads, resident_blocks) void row_pieces(
    std::size_t rows, std::size_t columns, const T* a, std::size_t lda, const T* x,
    std::size_t pieces, std::size_t piece_length, T* partial) {
  const std::size_t i = blockIdx.x % rows, piece = blockIdx.x / rows;
  const std::size_t first = piece * piece_length;
  T dot = 0;
  if (first < columns)
    dot = lane_sum<row_threads, Wide>(a + i * lda + first, min(piece_length, columns - first),
                                      threadIdx.x, Products<T>{x + first});
  dot = block_sum<row_threads>(dot);
  if (threadIdx.x == 0) partial[i * pieces + piece] = dot;
}

/// *result = sum over i of y[i] * (sum over p of partial[i * pieces + p]); one block, `pieces` a
/// power of two, of which up to 32 lanes share a row.
template <class T>
__global__ __launch_bounds__(sum_threads) void sum_pieces(std::size_t rows, const T* y,
                                                          const T* partial, std::size_t pieces,
                                                          T* result) {
  const unsigned lanes = pieces < 32 ? static_cast<unsigned>(pieces) : 32;
  const unsigned lane = threadIdx.x % lanes;
  T sum = 0;
  for (std::size_t first = 0; first < rows; first += sum_threads / lanes) {
    const std::size_t i = first + threadIdx.x / lanes;
    T dot = 0;
    if (i < rows)
#pragma unroll 8
      for (std::size_t p = lane; p < pieces; p += lanes)
        dot += partial[i * pieces + p];
    for (unsigned distance = lanes / 2; distance > 0; distance /= 2)
      dot += __shfl_xor_sync(0xffffffffu, dot, distance);
    if (i < rows && lane == 0) sum = fma(y[i], dot, sum);
  }
  sum = block_sum<sum_threads>(sum);
  if (threadIdx.x == 0) *result = sum;
}

/// Whether the last block adds up this many. For more, a larger block of a second kernel is better.
/// Where a has more than 32 MiB, that kernel's launch does not matter, and the fence of each block
/// does.
template <class T>
bool by_last_block(std::size_t blocks, std::size_t rows, std::size_t columns) {
  constexpr std::size_t most_bytes = std::size_t{1} << 25;
  return blocks > 1 && blocks <= 8 * std::size_t{row_threads} &&
         rows * columns <= most_bytes / sizeof(T);
}

constexpr std::size_t counter_bytes = 16; // keeps what follows aligned

} // namespace

void yax_prepare(void* workspace, cudaStream_t stream) {
  check(cudaMemsetAsync(workspace, 0, counter_bytes, stream), "setting the counter");
}

template <class T>
std::size_t yax_workspace_bytes(std::size_t rows, std::size_t columns) {
  return counter_bytes + yax_cuda_tiles(rows, columns, sizeof(T)).count(rows) * sizeof(T);
}

template <class T>
double yax_rounding_steps(std::size_t rows, std::size_t columns) {
  const YaxCudaTiles tiles = yax_cuda_tiles(rows, columns, sizeof(T));
  const RowMapping& map = tiles.map;
  const RowSteps dot = row_steps(map, sizeof(T));
  if (map.pieces > 1) {
    const std::size_t together = sum_threads / (map.pieces < 32 ? map.pieces : 32);
    return dot.chain + dot.tree + static_cast<double>(ceil_div(rows, together)) +
           tree_depth(std::min(rows, together));
  }
  const std::size_t together = static_cast<std::size_t>(row_threads / map.lanes);
  const std::size_t blocks = tiles.count(rows);
  return dot.chain + dot.tree + static_cast<double>(tiles.rows_per_tile / together) +
         tree_depth(std::min(rows, together)) +
         sum_partials_steps(blocks,
                            by_last_block<T>(blocks, rows, columns) ? row_threads : sum_threads);
}

template <class T>
void yax_tile_sums(const YaxCudaTiles& tiles, const YaxRows<T>& p, bool wide, T* sums,
                   cudaStream_t stream, unsigned* arrived, T* result) {
  const RowMapping& map = tiles.map;
  if (map.pieces > 1) {
    launch("row_pieces", wide ? row_pieces<true, T> : row_pieces<false, T>, tiles.count(p.rows),
           row_threads, 0, stream, p.rows, p.columns, p.a, p.lda, p.x, map.pieces, map.piece_length,
           sums);
    return;
  }
  with_row_mapping(map.lanes, wide, [&]<int Lanes, bool Wide>() {
    launch("whole_rows",
           arrived != nullptr ? whole_rows<Lanes, Wide, true, T>
                              : whole_rows<Lanes, Wide, false, T>,
           tiles.count(p.rows), row_threads, 0, stream, p.rows, p.columns, p.y, p.a, p.lda, p.x,
           tiles.rows_per_tile, sums, arrived, result);
  });
}

template <class T>
void yax_join(const YaxCudaTiles& tiles, std::size_t rows, std::size_t columns, const T* y,
              const T* sums, T* result, cudaStream_t stream) {
  const std::size_t count = tiles.count(rows);
  if (tiles.map.pieces > 1)
    launch("sum_pieces", sum_pieces<T>, 1, sum_threads, 0, stream, rows, y, sums, tiles.map.pieces,
           result);
  else if (count == 1) // one block's sum is the result
    check(cudaMemcpyAsync(result, sums, sizeof(T), cudaMemcpyDeviceToDevice, stream),
          "yax: copying the result");
  else if (by_last_block<T>(count, rows, columns)) // in the order in which that adds
    sum_partials<row_threads>(sums, count, result, stream);
  else
    sum_partials(sums, count, result, stream);
}

template <class T>
void yax(std::size_t rows, std::size_t columns, const T* y, const T* a, std::size_t lda, const T* x,
         T* result, void* workspace, cudaStream_t stream) {
  const YaxCudaTiles tiles = yax_cuda_tiles(rows, columns, sizeof(T));
  const YaxRows<T> p{rows, columns, y, a, lda, x};
  auto* const counter = static_cast<unsigned*>(workspace);
  T* const partial = reinterpret_cast<T*>(static_cast<std::byte*>(workspace) + counter_bytes);
  const bool cut = tiles.map.pieces > 1, one = !cut && tiles.count(rows) == 1;
  const bool by_last = !cut && by_last_block<T>(tiles.count(rows), rows, columns);
  yax_tile_sums(tiles, p, reads_wide(p), one ? result : partial, stream,
                by_last ? counter : nullptr, result);
  if (!one && !by_last) yax_join(tiles, rows, columns, y, partial, result, stream);
}

template std::size_t yax_workspace_bytes<float>(std::size_t, std::size_t);
template std::size_t yax_workspace_bytes<double>(std::size_t, std::size_t);
template double yax_rounding_steps<float>(std::size_t, std::size_t);
template double yax_rounding_steps<double>(std::size_t, std::size_t);
template void yax_tile_sums(const YaxCudaTiles&, const YaxRows<float>&, bool, float*, cudaStream_t,
                            unsigned*, float*);
template void yax_tile_sums(const YaxCudaTiles&, const YaxRows<double>&, bool, double*,
                            cudaStream_t, unsigned*, double*);
template void yax_join(const YaxCudaTiles&, std::size_t, std::size_t, const float*, const float*,
                       float*, cudaStream_t);
template void yax_join(const YaxCudaTiles&, std::size_t, std::size_t, const double*, const double*,
                       double*, cudaStream_t);
template void yax(std::size_t, std::size_t, const float*, const float*, std::size_t, const float*,
                  float*, void*, cudaStream_t);
template void yax(std::size_t, std::size_t, const double*, const double*, std::size_t,
                  const double*, double*, void*, cudaStream_t);

namespace {

struct YaxTeam {
  static constexpr std::string_view algorithm = "yax", name = "team";
  static constexpr std::string_view summary =
      "best: as many lanes a row as it is long, 16-byte loads, the last block adds up";
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &y = call.arrays[0], &a = call.arrays[1], &x = call.arrays[2];
    yax(call.shape[0], call.shape[1], y.as<const T>(), a.as<const T>(), a.stride[0],
        x.as<const T>(), call.arrays[3].as<T>(), call.workspace, stream);
  }
  template <class T>
  static void prepare(const Call& call, cudaStream_t stream) {
    yax_prepare(call.workspace, stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s) {
    return yax_rounding_steps<T>(s[0], s[1]);
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return yax_workspace_bytes<T>(s[0], s[1]);
  }
};
const CudaVariant<YaxTeam> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
