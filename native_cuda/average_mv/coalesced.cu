// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, coalesced: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   block = set n; warp = a vector of the set, its lanes side by side in m. Then all
//             threads and lanes sweep row after row of a, side by side in j
//   scratch   the L means of the set and a sum a thread; the means are in the workspace where
//             they are more than 32 KiB with 1024 sums
//   bytes     reads v once, and a once per set from L2, both in whole sectors
//   needs     any alignment, any sizes
//   teaches   against block_per_set: lanes that read neighbouring elements share their sectors, and
//             shuffles join their sums. What limits next is the sweep: its
//             barriers, and scratch that all warps ask for though half of them are done
#include <ado/average_mv/accesses.hpp>
#include <ado/cuda/variant.hpp>

#include <native_cuda/average_mv/set_blocks.cuh>

namespace ado::bench::native {
namespace {

template <class T>
__global__ __launch_bounds__(1024) void coalesced(SweepArrays<T> s) {
  const std::size_t n = blockIdx.x;
  T* const mean = s.means();
  T* const sums = s.sums();
  average_by_lanes(s, n, mean);
  multiply_by_sweep(s, n, mean, sums);
}

struct Coalesced {
  static constexpr std::string_view algorithm = "average_mv", name = "coalesced";
  static constexpr std::string_view summary =
      "a block a set, the lanes of a warp side by side in m";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    using namespace average_mv_accesses;
    return {v_by_lanes(s, type), a_by_lanes(s, type), y_by_warps(s, type)};
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    launch_sets("coalesced", coalesced<T>, call, call.shape[0], threads_for_length(call.shape[1]),
                32, stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s, const Launch& launch) {
    return set_rounding_steps(s[1], s[2], 32, sweep_threads(launch, s[1]));
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return means_workspace_bytes(s[0], s[1], sizeof(T), most_set_threads);
  }
};
const CudaVariant<Coalesced> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
