// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, block_per_set: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   block = set n; thread = a vector of the set, summed from m = 0 up. Then all threads
//             sweep row after row of a, side by side in j
//   scratch   the L means of the set and a sum a thread; the means are in the workspace where
//             they are more than 32 KiB with 1024 sums
//   bytes     reads v once in principle; the lanes of a warp stand a vector apart, so each of its
//             loads touches 32 sectors. Reads a once a set, from L2, in whole sectors
//   needs     any alignment, any sizes
//   teaches   against one_block: a block a set fills the device, which one block leaves idle but
//             for one multiprocessor. What limits now are the uncoalesced loads of v
#include <ado/average_mv/accesses.hpp>
#include <ado/cuda/variant.hpp>

#include <native_cuda/average_mv/set_blocks.cuh>

namespace ado::bench::native {
namespace {

template <class T>
__global__ __launch_bounds__(1024) void block_per_set(SweepArrays<T> s) {
  const std::size_t n = blockIdx.x;
  T* const mean = s.means();
  T* const sums = s.sums();
  average_by_threads(s, n, mean);
  multiply_by_sweep(s, n, mean, sums);
}

struct BlockPerSet {
  static constexpr std::string_view algorithm = "average_mv", name = "block_per_set";
  static constexpr std::string_view summary =
      "a block a set, a thread a vector: fills the device, uncoalesced";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    using namespace average_mv_accesses;
    return {v_by_threads(s, type), a_by_lanes(s, type), y_by_warps(s, type)};
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    launch_sets("block_per_set", block_per_set<T>, call, call.shape[0],
                threads_for_length(call.shape[1]), 1, stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s, const Launch& launch) {
    return set_rounding_steps(s[1], s[2], 1, sweep_threads(launch, s[1]));
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return means_workspace_bytes(s[0], s[1], sizeof(T), most_set_threads);
  }
};
const CudaVariant<BlockPerSet> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
