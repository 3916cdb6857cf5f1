// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, one_block: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   one block walks through all sets; thread = a vector of the set, summed from m = 0 up.
//             Then all threads sweep row after row of a, side by side in j
//   scratch   the L means of one set, reused, and a sum a thread; the means are in the workspace
//             where they are more than 32 KiB with 1024 sums
//   bytes     as block_per_set
//   needs     any alignment, any sizes
//   teaches   what a grid of one costs: a block stays on one multiprocessor, and all others idle.
//             Against flat: barriers let the threads of a block share a set
#include <ado/average_mv/accesses.hpp>
#include <ado/cuda/variant.hpp>

#include <native_cuda/average_mv/set_blocks.cuh>

namespace ado::bench::native {
namespace {

template <class T>
__global__ __launch_bounds__(1024) void one_block(SweepArrays<T> s) {
  T* const mean = s.means();
  T* const sums = s.sums();
  for (std::size_t n = 0; n < s.sets; ++n) {
    average_by_threads(s, n, mean);
    // Its barriers come after the last means are read, so the next set may overwrite them.
    multiply_by_sweep(s, n, mean, sums);
  }
}

struct OneBlock {
  static constexpr std::string_view algorithm = "average_mv", name = "one_block";
  static constexpr std::string_view summary = "one block walks through all sets";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    using namespace average_mv_accesses;
    return {v_by_threads(s, type), a_by_lanes(s, type), y_by_warps(s, type)};
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    launch_sets("one_block", one_block<T>, call, 1, threads_for_length(call.shape[1]), 1, stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s, const Launch& launch) {
    return set_rounding_steps(s[1], s[2], 1, sweep_threads(launch, s[1]));
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return means_workspace_bytes(1, s[1], sizeof(T), most_set_threads);
  }
};
const CudaVariant<OneBlock> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
