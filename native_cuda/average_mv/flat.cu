// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, flat: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   thread = a set: its means, then its column of y
//   scratch   none; workspace: the N x L means
//   bytes     reads v once in principle, a once a set; neighbouring threads read L M elements apart
//   needs     any alignment, any sizes
//   teaches   the loop nest parallel over sets alone: N threads are too few for a GPU, and none of
//             its loads of v are coalesced. one_block and block_per_set let threads share a set
#include <ado/average_mv/accesses.hpp>
#include <ado/cuda/variant.hpp>

#include <native_cuda/average_mv/set_blocks.cuh>

namespace ado::bench::native {
namespace {

constexpr unsigned threads = 256;

template <class T>
__global__ __launch_bounds__(threads) void flat(SetArrays<T> s) {
  const std::size_t n = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (n >= s.sets) return;
  T* const mean = s.workspace + n * s.length;
  for (std::size_t l = 0; l < s.length; ++l) {
    const T* const vector = s.vector(n, l);
    T sum = 0;
    for (std::size_t m = 0; m < s.count; ++m)
      sum += vector[m];
    mean[l] = sum / static_cast<T>(s.count);
  }
  for (std::size_t i = 0; i < s.length; ++i) {
    T sum = 0;
    for (std::size_t j = 0; j < s.length; ++j)
      sum = fma(s.a[i * s.lda + j], mean[j], sum);
    s.y[i * s.ldy + n] = sum;
  }
}

struct Flat {
  static constexpr std::string_view algorithm = "average_mv", name = "flat";
  static constexpr std::string_view summary = "a thread a set";
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return average_mv_accesses::set_per_thread(s, type);
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    launch("flat", flat<T>, ceil_div(call.shape[0], threads), threads, 0, stream,
           SetArrays<T>(call));
  }
  template <class T>
  static double rounding_steps(const Shape& s) {
    return set_rounding_steps(s[1], s[2], 1, 1);
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return checked_product({s[0], s[1], sizeof(T)}, "average_mv[flat]: workspace");
  }
};
const CudaVariant<Flat> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
