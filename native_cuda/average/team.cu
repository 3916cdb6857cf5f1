// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, team: mean[n][l] = (sum over m of v[n][l][m]) / M
//   mapping   block = 256 threads; a row (n, l) goes to 1, 4, 16 or 32 lanes by its length, a long
//             one to a block, a long one of few to several blocks, whose sums a second kernel adds;
//             several very short ones to a thread (short_rows.cuh)
//   scratch   8 elements of shared memory where a block shares a row; workspace of one element a
//             block where blocks share one
//   bytes     reads v once, writes mean once
//   needs     any alignment; 16-byte loads where every row starts on a 16-byte boundary
//   teaches   against a thread a row: neighbouring lanes read neighbouring bytes, 16 each, and a
//             thread has 128 bytes in flight before it uses the first

#include <ado/average/rows_of_call.hpp>
#include <ado/cuda/variant.hpp>

#include <native_cuda/average/average.hpp>
#include <native_cuda/average/short_rows.cuh>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/core/rows.cuh>

namespace ado::bench::native {
namespace {

template <class T>
struct Vectors {
  const T* data;
  std::size_t set_stride, vector_stride, length, count;
};

/// One mean for each row; with `pieces` > 1 one sum for each piece of each row, into `partial`.
template <int Lanes, bool Wide, class T>
__global__ __launch_bounds__(row_threads) void average_rows(Vectors<T> v, std::size_t rows,
                                                            std::size_t pieces,
                                                            std::size_t piece_length, T* mean,
                                                            std::size_t mean_stride, T* partial) {
  const std::size_t task = std::size_t{blockIdx.x} * (row_threads / Lanes) + threadIdx.x / Lanes;
  const unsigned lane = threadIdx.x % Lanes;
  // Divisions only where they are needed: they would delay the first loads of every row.
  const std::size_t row = pieces == 1 ? task : task / pieces;
  const std::size_t first = (task - row * pieces) * piece_length;
  const std::size_t n = row < v.length ? 0 : row / v.length, l = row - n * v.length;
  T sum = 0;
  if (row < rows && first < v.count)
    sum = lane_sum<Lanes, Wide>(v.data + n * v.set_stride + l * v.vector_stride + first,
                                min(piece_length, v.count - first), lane, Elements{});
  sum = row_sum<Lanes>(sum);
  if (lane != 0 || row >= rows) return;
  if (pieces == 1)
    mean[n * mean_stride + l] = sum / static_cast<T>(v.count);
  else
    partial[task] = sum;
}

/// The mean of each row from the sums of its pieces; a warp a row.
template <class T>
__global__ __launch_bounds__(row_threads) void average_pieces(const T* partial, std::size_t rows,
                                                              std::size_t pieces, T count,
                                                              std::size_t length, T* mean,
                                                              std::size_t mean_stride) {
  const std::size_t row = std::size_t{blockIdx.x} * (row_threads / 32) + threadIdx.x / 32;
  T sum = 0;
  if (row < rows)
#pragma unroll 8
    for (std::size_t piece = threadIdx.x % 32; piece < pieces; piece += 32)
      sum += partial[row * pieces + piece];
  sum = lanes_sum<32>(sum);
  if (row < rows && threadIdx.x % 32 == 0)
    mean[row / length * mean_stride + row % length] = sum / count;
}

} // namespace

template <class T>
std::size_t average_workspace_bytes(std::size_t sets, std::size_t length, std::size_t count) {
  const RowMapping map = map_rows(sets * length, count, sizeof(T));
  return map.pieces == 1 ? 0 : sets * length * map.pieces * sizeof(T);
}

template <class T>
double average_rounding_steps(std::size_t sets, std::size_t length, std::size_t count) {
  if (count == 0) return 1; // 0 / 0
  const RowSteps steps = row_steps(map_rows(sets * length, count, sizeof(T)), sizeof(T));
  const bool count_rounds =
      static_cast<double>(static_cast<T>(count)) != static_cast<double>(count);
  return steps.chain - 1 + steps.tree + 1 + count_rounds; // the first addition is to 0
}

template <class T>
void average(std::size_t sets, std::size_t length, std::size_t count, const T* v,
             std::size_t set_stride, std::size_t vector_stride, T* mean, std::size_t mean_stride,
             void* workspace, cudaStream_t stream, std::size_t all) {
  const std::size_t rows = sets * length;
  if (rows == 0) return;
  if (all == 0) all = rows;
  if (set_stride == length * vector_stride && mean_stride == length) { // one long set
    sets = 1;
    length = rows;
  }
  const RowMapping map =
      map_rows(all, count, sizeof(T)); // no more pieces than these rows alone would have
  const bool wide = is_wide(v, vector_stride * sizeof(T)) && is_wide(v, set_stride * sizeof(T));
  if (sets == 1 && wide && launch_short_rows(v, vector_stride, rows, count, mean, stream, all))
    return;
  T* const partial = static_cast<T*>(workspace);
  with_row_mapping(map.lanes, wide, [&]<int Lanes, bool Wide>() {
    launch("average_rows", average_rows<Lanes, Wide, T>,
           ceil_div(rows * map.pieces, row_threads / Lanes), row_threads, 0, stream,
           Vectors<T>{v, set_stride, vector_stride, length, count}, rows, map.pieces,
           map.piece_length, mean, mean_stride, partial);
  });
  if (map.pieces > 1)
    launch("average_pieces", average_pieces<T>, ceil_div(rows, row_threads / 32), row_threads, 0,
           stream, partial, rows, map.pieces, static_cast<T>(count), length, mean, mean_stride);
}

template std::size_t average_workspace_bytes<float>(std::size_t, std::size_t, std::size_t);
template std::size_t average_workspace_bytes<double>(std::size_t, std::size_t, std::size_t);
template double average_rounding_steps<float>(std::size_t, std::size_t, std::size_t);
template double average_rounding_steps<double>(std::size_t, std::size_t, std::size_t);
template void average(std::size_t, std::size_t, std::size_t, const float*, std::size_t, std::size_t,
                      float*, std::size_t, void*, cudaStream_t, std::size_t);
template void average(std::size_t, std::size_t, std::size_t, const double*, std::size_t,
                      std::size_t, double*, std::size_t, void*, cudaStream_t, std::size_t);

namespace {

struct AverageTeam {
  static constexpr std::string_view algorithm = "average", name = "team";
  static constexpr std::string_view summary =
      "best: as many lanes a row as it is long, 16-byte loads, eight in flight";
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &v = call.arrays[0], &mean = call.arrays[1];
    const auto [sets, length, count] = call.shape;
    average(sets, length, count, v.as<const T>(), v.stride[0], v.stride[1], mean.as<T>(),
            mean.stride[0], call.workspace, stream, rows_of_all(call));
  }
  template <class T>
  static double rounding_steps(const Shape& s) {
    return average_rounding_steps<T>(s[0], s[1], s[2]);
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return average_workspace_bytes<T>(s[0], s[1], s[2]);
  }
};
const CudaVariant<AverageTeam> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
