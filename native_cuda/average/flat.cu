// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, flat: mean[n][l] = (sum over m of v[n][l][m]) / M
//   mapping   thread = a vector of v, summed from m = 0 up
//   scratch   none
//   bytes     reads v once in principle, writes mean once; the lanes of a warp stand a vector
//             apart, so each of its loads touches 32 sectors, and later loads find the rest of them
//             only where a cache still holds it
//   needs     any alignment, any sizes
//   teaches   the loop nest as it stands: threads enough, but none of its loads are coalesced.
//             `team` puts lanes side by side in m
#include <ado/average/accesses.hpp>
#include <ado/core/checks.hpp>
#include <ado/cuda/variant.hpp>

#include <native_cuda/core/launch.hpp>

namespace ado::bench::native {
namespace {

constexpr unsigned threads = 256;

template <class T>
__global__ __launch_bounds__(threads) void flat(std::size_t rows, std::size_t length,
                                                std::size_t count, const T* v,
                                                std::size_t set_stride, std::size_t vector_stride,
                                                T* mean, std::size_t mean_stride) {
  const std::size_t row = std::size_t{blockIdx.x} * threads + threadIdx.x;
  if (row >= rows) return;
  const std::size_t n = row / length, l = row % length;
  const T* const vector = v + n * set_stride + l * vector_stride;
  T sum = 0;
  for (std::size_t m = 0; m < count; ++m)
    sum += vector[m];
  mean[n * mean_stride + l] = sum / static_cast<T>(count);
}

struct Flat {
  static constexpr std::string_view algorithm = "average", name = "flat";
  static constexpr std::string_view summary = "a thread a vector";
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return average_accesses::vector_per_thread(s, type);
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &v = call.arrays[0], &mean = call.arrays[1];
    const auto [sets, length, count] = call.shape;
    const std::size_t rows = sets * length;
    launch("flat", flat<T>, ceil_div(rows, threads), threads, 0, stream, rows, length, count,
           v.as<const T>(), v.stride[0], v.stride[1], mean.as<T>(), mean.stride[0]);
  }
  /// M - 1 additions, the division, and M itself as a T.
  template <class T>
  static double rounding_steps(const Shape& s) {
    return static_cast<double>(s[2]) + 1;
  }
};
const CudaVariant<Flat> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
