// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, vendor, gemv_of_ones: mean[n][l] = (sum over m of v[n][l][m]) / M
//   mapping   cblas_?gemv of each set with a vector of ones and the factor 1 / M; the library's
//             own, on as many threads as it was built for, no more than the call may use
//   scratch   the library's own; workspace: M ones
//   bytes     reads v once, writes mean once
//   needs     OpenBLAS; extents and leading dimensions that its integer holds
//   teaches   the yardstick on the CPU: how to average with a BLAS and no kernel of your own
#include <ado/core/checks.hpp>
#include <ado/host/blas_sizes.hpp>
#include <ado/host/openblas.hpp>
#include <ado/host/variant.hpp>

#include <cblas.h>

#include <algorithm>
#include <limits>
#include <type_traits>

namespace ado::bench {
namespace {

template <class T, class Gemv>
void average(const Call& call, Gemv gemv) {
  const Array &v = call.arrays[0], &mean = call.arrays[1];
  const auto [sets, length, vectors] = v.extent;
  const std::size_t row_stride = std::max(v.stride[1], vectors);
  check_blas_sizes<blasint>({sets, length, row_stride}, "average[gemv_of_ones]");
  openblas_set_num_threads(call.queue.threads);
  for (std::size_t n = 0; n < sets; ++n) {
    T* const means = mean.as<T>() + n * mean.stride[0];
    if (vectors == 0) // gemv would leave its output as it is
      std::fill_n(means, length, std::numeric_limits<T>::quiet_NaN());
    else if (length > 0)
      gemv(CblasRowMajor, CblasNoTrans, static_cast<blasint>(length), static_cast<blasint>(vectors),
           T(1) / static_cast<T>(vectors), v.as<const T>() + n * v.stride[0],
           static_cast<blasint>(row_stride), static_cast<const T*>(call.workspace), 1, T(0), means,
           1);
  }
}

struct GemvOfOnes {
  static constexpr std::string_view algorithm = "average", name = "gemv_of_ones";
  static constexpr std::string_view summary = "OpenBLAS gemv of each set with a vector of ones";
  static constexpr Model model = Model::vendor;
  static constexpr TypeSet types = real_types;
  static Library library() { return openblas(); }

  template <class T>
  static void run(const Call& call) {
    if constexpr (std::is_same_v<T, float>)
      average<T>(call, cblas_sgemv);
    else
      average<T>(call, cblas_dgemv);
  }
  // Any order of the sum; M as a T, the factor and the product with it.
  static double rounding_steps(const Shape& s, Type) { return double(s[2]) + 3; }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return checked_product({s[2], size_of(type)}, "average[gemv_of_ones]: workspace");
  }
  template <class T>
  static void prepare(const Call& call) {
    std::fill_n(static_cast<T*>(call.workspace), call.shape[2], T(1));
  }
};
const HostVariant<GemvOfOnes> registered{__FILE__};

} // namespace
} // namespace ado::bench
