// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, vector_mv: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   block = set n; warp = a vector of the set, its lanes side by side in m; then a row of
//             the product, its lanes side by side in j
//   scratch   the L means of the set; in the workspace where they are more than 32 KiB
//   bytes     reads v once and a once a set, the latter from L2, both in whole sectors
//   needs     any alignment, any sizes
//   teaches   against coalesced: the product reads in whole sectors too, for a warp shares a row.
//             What limits next: a is read again for each set, and lanes have but few and small
//             loads in flight; split_gemm reads a once for many sets
#include <ado/average_mv/accesses.hpp>
#include <ado/cuda/variant.hpp>

#include <native_cuda/average_mv/set_blocks.cuh>
#include <native_cuda/core/device.cuh>

namespace ado::bench::native {
namespace {

template <class T>
__global__ __launch_bounds__(1024) void vector_mv(SetArrays<T> s) {
  const std::size_t n = blockIdx.x;
  T* const mean = s.means();
  average_by_lanes(s, n, mean);
  __syncthreads();
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  for (std::size_t i = warp; i < s.length; i += warps) {
    T sum = 0;
    for (std::size_t j = lane; j < s.length; j += 32)
      sum = fma(s.a[i * s.lda + j], mean[j], sum);
    sum = lanes_sum<32>(sum);
    if (lane == 0) s.y[i * s.ldy + n] = sum;
  }
}

struct VectorMv {
  static constexpr std::string_view algorithm = "average_mv", name = "vector_mv";
  static constexpr std::string_view summary =
      "a block a set, the lanes of a warp side by side in m and in the product";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    using namespace average_mv_accesses;
    return {v_by_lanes(s, type), a_by_lanes(s, type), y_by_warps(s, type)};
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    launch_sets("vector_mv", vector_mv<T>, call, call.shape[0], 256, 32, stream);
  }
  template <class T>
  static double rounding_steps(const Shape& s) {
    return set_rounding_steps(s[1], s[2], 32, 32);
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return means_workspace_bytes(s[0], s[1], sizeof(T));
  }
};
const CudaVariant<VectorMv> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
