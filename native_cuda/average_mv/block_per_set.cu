// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, block_per_set: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   block = set n; thread = every 1024th vector of the set, summed from m = 0 up, then
//             every 1024th row of the product
//   scratch   none; workspace N x L for the means, which the block reads back after a barrier
//   bytes     reads v once in principle; the lanes of a warp stand a vector apart, so each of its
//             loads touches 32 cache lines. Reads a once a set, from L2, in the same way
//   needs     any alignment, any length
//   teaches   the first kernel that fills the device: one block a set, still uncoalesced
#include <ado/core/checks.hpp>

#include <native_cuda/core/launch.hpp>
#include <native_cuda/core/variant.hpp>

namespace ado::native {
namespace {

template <class T>
__global__ __launch_bounds__(1024) void block_per_set(std::size_t vectors, std::size_t length,
                                                      const T* v, std::size_t set_stride,
                                                      std::size_t vector_stride, const T* a,
                                                      std::size_t lda, T* y, std::size_t ldy,
                                                      T* means) {
  const std::size_t n = blockIdx.x;
  T* const mean = means + n * vectors;
  for (std::size_t l = threadIdx.x; l < vectors; l += blockDim.x) {
    const T* const vector = v + n * set_stride + l * vector_stride;
    T sum = 0;
    for (std::size_t m = 0; m < length; ++m)
      sum += vector[m];
    mean[l] = sum / static_cast<T>(length);
  }
  __syncthreads(); // also makes the means visible to the whole block
  for (std::size_t i = threadIdx.x; i < vectors; i += blockDim.x) {
    T sum = 0;
    for (std::size_t j = 0; j < vectors; ++j)
      sum = fma(a[i * lda + j], mean[j], sum);
    y[i * ldy + n] = sum;
  }
}

struct BlockPerSet {
  static constexpr std::string_view algorithm = "average_mv", name = "block_per_set";
  static constexpr std::string_view summary =
      "a block a set, a thread a vector: fills the device, uncoalesced";
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &v = call.arrays[0], &a = call.arrays[1], &y = call.arrays[2];
    const auto [sets, vectors, length] = call.shape;
    if (vectors == 0) return;
    const std::size_t threads = vectors < 1024 ? round_up(vectors, 32) : 1024;
    launch("block_per_set", block_per_set<T>, sets, static_cast<unsigned>(threads), 0, stream,
           vectors, length, v.as<const T>(), v.stride[0], v.stride[1], a.as<const T>(), a.stride[0],
           y.as<T>(), y.stride[0], static_cast<T*>(call.workspace));
  }
  /// M - 1 additions, the division, L multiply-adds, and one more where M is not a number of the
  /// type.
  template <class T>
  static double rounding_steps(const Shape& s) {
    const auto length = static_cast<double>(s[2]);
    const bool rounds = static_cast<double>(static_cast<T>(s[2])) != length;
    return length + rounds + static_cast<double>(s[1]);
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return s[0] * s[1] * sizeof(T);
  }
};
const CudaVariant<BlockPerSet> registered{__FILE__};

} // namespace
} // namespace ado::native
