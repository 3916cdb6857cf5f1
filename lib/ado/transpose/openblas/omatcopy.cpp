// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, vendor, omatcopy: b[j][i] = a[i][j]
//   mapping   cblas_?omatcopy, the library's own: one thread, whatever OpenBLAS is set to use
//             (0.3.15 to 0.3.21)
//   scratch   the library's own
//   bytes     reads a once, writes b once
//   needs     OpenBLAS; extents and leading dimensions that fit its integer. It multiplies by one.
//             Integers would not survive that, so it takes floating point only. Even there the
//             payload of a NaN, or a complex number with an infinite part, may change
//   teaches   the yardstick on the CPU: what one call of a library gives
#include <ado/host/blas_sizes.hpp>
#include <ado/host/openblas.hpp>
#include <ado/host/variant.hpp>

#include <cblas.h>

namespace ado::bench {
namespace {

struct Omatcopy {
  static constexpr std::string_view algorithm = "transpose", name = "omatcopy";
  static constexpr std::string_view summary = "OpenBLAS: cblas_?omatcopy, on one thread";
  static constexpr Model model = Model::vendor;
  static constexpr TypeSet types{Type::f32, Type::f64, Type::c64, Type::c128};
  static Library library() { return openblas(); }

  static void run(const Call& call) {
    const Array &a = call.arrays[0], &b = call.arrays[1];
    if (a.extent[0] == 0 || a.extent[1] == 0) return;
    check_blas_sizes<blasint>({a.extent[0], a.extent[1], a.stride[0], b.stride[0]},
                              "transpose[omatcopy]");
    const auto rows = static_cast<blasint>(a.extent[0]);
    const auto columns = static_cast<blasint>(a.extent[1]);
    const auto lda = static_cast<blasint>(a.stride[0]), ldb = static_cast<blasint>(b.stride[0]);
    const auto copy = [&](auto function, auto alpha, auto part) {
      using T = decltype(part);
      function(CblasRowMajor, CblasTrans, rows, columns, alpha, a.as<const T>(), lda, b.as<T>(),
               ldb);
    };
    constexpr float one_f[2] = {1, 0}; // complex numbers
    constexpr double one_d[2] = {1, 0};
    if (call.type == Type::f32) return copy(cblas_somatcopy, 1.0f, float{});
    if (call.type == Type::f64) return copy(cblas_domatcopy, 1.0, double{});
    if (call.type == Type::c64) return copy(cblas_comatcopy, one_f, float{});
    copy(cblas_zomatcopy, one_d, double{});
  }
  static double rounding_steps(const Shape&, Type) { return 1; }
};
const HostVariant<Omatcopy> registered{__FILE__};

} // namespace
} // namespace ado::bench
