// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, row_per_team: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   block = one row, its threads side by side in j, summed by shuffles and shared memory;
//             a second kernel adds the rows
//   scratch   32 elements of shared memory; workspace of one element a row
//   bytes     reads a once, x once a row (from L2), y once
//   needs     any alignment; any block of whole warps
//   teaches   against row_per_vector: a row is one stream of a whole block, so blocks stand in few
//             places of memory at once; but each row pays for a block's reduction with its
//             barriers, which short rows do not repay. Left: the narrow loads that team widens

#include <ado/cuda/variant.hpp>
#include <ado/yax/accesses.hpp>

#include <native_cuda/yax/sum_partials.cuh>

#include <algorithm>

namespace ado::bench::native {
namespace {

template <class T>
__global__ void row_per_team(std::size_t columns, const T* y, const T* a, std::size_t lda,
                             const T* x, T* partial) {
  const std::size_t i = blockIdx.x;
  T dot = 0;
  for (std::size_t j = threadIdx.x; j < columns; j += blockDim.x)
    dot = fma(a[i * lda + j], x[j], dot);
  dot = block_sum(dot);
  if (threadIdx.x == 0) partial[i] = y[i] * dot;
}

struct RowPerTeam {
  static constexpr std::string_view algorithm = "yax", name = "row_per_team";
  static constexpr std::string_view summary = "a block a row: all its threads side by side";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;
  static constexpr unsigned usual_threads = 256;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_warp(s, type);
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &y = call.arrays[0], &a = call.arrays[1], &x = call.arrays[2];
    const std::size_t rows = call.shape[0], columns = call.shape[1];
    const unsigned threads =
        block_size("row_per_team", row_per_team<T>, call.launch, usual_threads, 32);
    T* const partial = static_cast<T*>(call.workspace);
    launch("row_per_team", row_per_team<T>, rows, threads, 0, stream, columns, y.as<const T>(),
           a.as<const T>(), a.stride[0], x.as<const T>(), partial);
    sum_partials(partial, rows, call.arrays[3].as<T>(), stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s, const Launch& asked) {
    const std::size_t threads =
        asked.team_size == 0 ? usual_threads : static_cast<std::size_t>(asked.team_size);
    // Lanes of a warp are added first, then warps, so the trees may be deeper than one over
    // threads.
    const std::size_t warps = std::min(threads, round_up(s[1], 32)) / 32;
    return static_cast<double>(ceil_div(s[1], threads)) +
           tree_depth(std::min<std::size_t>(s[1], 32)) + tree_depth(warps) + 1 +
           sum_partials_steps(s[0]);
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return checked_product({s[0], sizeof(T)}, "yax[row_per_team]: workspace");
  }
};
const CudaVariant<RowPerTeam> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
