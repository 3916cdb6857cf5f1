// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, vendor, two_call: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   cblas_?gemv for a x, then cblas_?dot with y; the library's own, on as many threads as
//             it was built for, no more than the call may use
//   scratch   the library's own; workspace: a x, one number per row
//   bytes     reads a, x and y once, writes and reads a x in between
//   needs     OpenBLAS; extents and a leading dimension that its integer holds
//   teaches   the yardstick on the CPU: what two calls of a library give. They cannot know that the
//             result of the first is used only once, but that costs little if rows are long
#include <ado/core/checks.hpp>
#include <ado/host/blas_sizes.hpp>
#include <ado/host/openblas.hpp>
#include <ado/host/variant.hpp>

#include <cblas.h>

#include <algorithm>
#include <type_traits>

namespace ado::bench {
namespace {

template <class T, class Gemv, class Dot>
void yax(const Call& call, Gemv gemv, Dot dot) {
  const Array &y = call.arrays[0], &a = call.arrays[1], &x = call.arrays[2];
  const std::size_t row_stride = std::max(a.stride[0], a.extent[1]);
  check_blas_sizes<blasint>({a.extent[0], row_stride}, "yax[two_call]");
  const auto rows = static_cast<blasint>(a.extent[0]), columns = static_cast<blasint>(a.extent[1]);
  const auto lda = static_cast<blasint>(row_stride);
  T* const product = static_cast<T*>(call.workspace);
  if (rows == 0 || columns == 0) { // gemv would leave its output as it is
    *call.arrays[3].as<T>() = 0;
    return;
  }
  openblas_set_num_threads(call.queue.threads);
  gemv(CblasRowMajor, CblasNoTrans, rows, columns, T(1), a.as<const T>(), lda, x.as<const T>(), 1,
       T(0), product, 1);
  *call.arrays[3].as<T>() = dot(rows, y.as<const T>(), 1, product, 1);
}

struct TwoCall {
  static constexpr std::string_view algorithm = "yax", name = "two_call";
  static constexpr std::string_view summary = "OpenBLAS gemv, then OpenBLAS dot";
  static constexpr Model model = Model::vendor;
  static constexpr TypeSet types = real_types;
  static Library library() { return openblas(); }

  template <class T>
  static void run(const Call& call) {
    if constexpr (std::is_same_v<T, float>)
      yax<T>(call, cblas_sgemv, cblas_sdot);
    else
      yax<T>(call, cblas_dgemv, cblas_ddot);
  }
  static double rounding_steps(const Shape& s, Type) {
    // The library may sum in any order.
    return double(s[1]) + 1 + double(s[0]) + 1;
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return checked_product({s[0], size_of(type)}, "yax[two_call]: workspace");
  }
};
const HostVariant<TwoCall> registered{__FILE__};

} // namespace
} // namespace ado::bench
