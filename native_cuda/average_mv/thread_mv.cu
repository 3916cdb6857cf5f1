// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, thread_mv: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   block = set n; warp = a vector of the set, its lanes side by side in m; in the
//             product each thread has a row of its own
//   scratch   the L means of the set; in the workspace where they are more than 32 KiB
//   bytes     reads v once, in whole sectors; a once a set, from L2, lanes a row apart
//   needs     any alignment, any sizes
//   teaches   against coalesced: a row of its own for each thread needs no sweep, so no barriers
//             and no scratch but the means. The price is that its reads of a are uncoalesced, which
//             limits next
#include <ado/average_mv/accesses.hpp>
#include <ado/cuda/variant.hpp>

#include <native_cuda/average_mv/set_blocks.cuh>

namespace ado::bench::native {
namespace {

template <class T>
__global__ __launch_bounds__(1024) void thread_mv(SetArrays<T> s) {
  const std::size_t n = blockIdx.x;
  T* const mean = s.means();
  average_by_lanes(s, n, mean);
  __syncthreads();
  multiply_by_threads(s, n, mean);
}

struct ThreadMv {
  static constexpr std::string_view algorithm = "average_mv", name = "thread_mv";
  static constexpr std::string_view summary =
      "a block a set, the lanes of a warp side by side in m, then a thread a row";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    using namespace average_mv_accesses;
    return {v_by_lanes(s, type), a_by_threads(s, type), y_by_threads(s, type)};
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    launch_sets("thread_mv", thread_mv<T>, call, call.shape[0], 256, 32, stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s) {
    return set_rounding_steps(s[1], s[2], 32, 1);
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return means_workspace_bytes(s[0], s[1], sizeof(T));
  }
};
const CudaVariant<ThreadMv> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
