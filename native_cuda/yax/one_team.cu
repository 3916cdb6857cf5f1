// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, one_team: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   one block, or as many as asked for, each with a contiguous share of the rows; thread
//             = every row that comes to it in turn, as in row_per_thread. The block adds its
//             threads, a second kernel the blocks
//   scratch   32 elements of shared memory; workspace of 65536 elements, one a block
//   bytes     reads a, x, y once in principle, as row_per_thread
//   needs     any alignment; any block of whole warps, up to 65536 blocks
//   teaches   against row_per_thread: the same threads with launch parameters that leave all but
//             one multiprocessor idle. With --league-size and --team-size the time falls as the GPU
//             fills, until it is that of row_per_thread

#include <ado/cuda/variant.hpp>
#include <ado/yax/accesses.hpp>

#include <native_cuda/yax/sum_partials.cuh>

#include <algorithm>

namespace ado::bench::native {
namespace {

template <class T>
__global__ void one_team(std::size_t rows, std::size_t columns, const T* y, const T* a,
                         std::size_t lda, const T* x, std::size_t rows_per_block, T* partial) {
  const std::size_t first = blockIdx.x * rows_per_block;
  const std::size_t last = min(first + rows_per_block, rows);
  T sum = 0;
  for (std::size_t i = first + threadIdx.x; i < last; i += blockDim.x) {
    T dot = 0;
    for (std::size_t j = 0; j < columns; ++j)
      dot = fma(a[i * lda + j], x[j], dot);
    sum = fma(y[i], dot, sum);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

struct OneTeam {
  static constexpr std::string_view algorithm = "yax", name = "one_team";
  static constexpr std::string_view summary = "bad launch parameters: one block does everything";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true, takes_league_size = true;
  static constexpr unsigned usual_threads = 256;
  static constexpr int most_blocks = 65536;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_thread(s, type);
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &y = call.arrays[0], &a = call.arrays[1], &x = call.arrays[2];
    const std::size_t rows = call.shape[0], columns = call.shape[1];
    const std::size_t blocks =
        checked_league_size(call.launch.league_size, 1, most_blocks, "one_team");
    const unsigned threads = block_size("one_team", one_team<T>, call.launch, usual_threads, 32);
    T* const partial = static_cast<T*>(call.workspace);
    launch("one_team", one_team<T>, blocks, threads, 0, stream, rows, columns, y.as<const T>(),
           a.as<const T>(), a.stride[0], x.as<const T>(), ceil_div(rows, blocks), partial);
    sum_partials(partial, blocks, call.arrays[3].as<T>(), stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s, const Launch& asked) {
    const std::size_t blocks = checked_league_size(asked.league_size, 1, most_blocks, "one_team");
    const std::size_t threads =
        asked.team_size == 0 ? usual_threads : static_cast<std::size_t>(asked.team_size);
    const std::size_t rows = ceil_div(s[0], blocks);
    // A row's chain, a thread's rows, lanes and then warps, blocks.
    return static_cast<double>(s[1]) + static_cast<double>(ceil_div(rows, threads)) +
           tree_depth(std::min<std::size_t>(rows, 32)) +
           tree_depth(std::min(threads, round_up(rows, 32)) / 32) + sum_partials_steps(blocks);
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape&) {
    return most_blocks * sizeof(T);
  }
};
const CudaVariant<OneTeam> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
