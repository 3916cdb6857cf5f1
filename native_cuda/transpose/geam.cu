// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, vendor, geam: b[j][i] = a[i][j]
//   mapping   one cublas?geam, the library's own: C = alpha op(A) + beta B with alpha 1, beta 0
//   scratch   the library's own
//   bytes     reads a once, writes b once
//   needs     cuBLAS. It multiplies by one: integers would not survive that, so only floating
//             point, and the payload of a NaN, or a complex number with an infinite part, may
//             change
//   teaches   the yardstick: what one call of a library gives
#include <ado/cuda/variant.hpp>

#include <cuComplex.h>
#include <native_cuda/core/cublas.hpp>

namespace ado::bench::native {
namespace {

/// `geam` is cuBLAS' 64-bit form for elements T; `one` and `zero` are read during the call.
template <class T, class Geam>
void transpose_by(Geam geam, T one, T zero, const Call& call, cudaStream_t stream) {
  const Array &a = call.arrays[0], &b = call.arrays[1];
  const auto rows = static_cast<std::int64_t>(call.shape[0]);
  const auto columns = static_cast<std::int64_t>(call.shape[1]);
  const auto lda = static_cast<std::int64_t>(a.stride[0]);
  const auto ldb = static_cast<std::int64_t>(b.stride[0]);
  // What is row-major here is the transposed matrix to cuBLAS. B is not read where beta is 0; b in
  // its place is what the manual allows.
  check(geam(cublas_handle(stream), CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, a.as<const T>(),
             lda, &zero, b.as<const T>(), ldb, b.as<T>(), ldb),
        "transpose[geam]");
}

struct TransposeGeam {
  static constexpr std::string_view algorithm = "transpose", name = "geam";
  static constexpr Model model = Model::vendor;
  static constexpr std::string_view summary = "cuBLAS: one cublas?geam";
  static constexpr TypeSet types{Type::f32, Type::f64, Type::c64, Type::c128};

  static void run(const Call& call, cudaStream_t stream) {
    if (call.shape[0] == 0 || call.shape[1] == 0) return;
    if (call.type == Type::f32)
      transpose_by(cublasSgeam_64, 1.0f, 0.0f, call, stream);
    else if (call.type == Type::f64)
      transpose_by(cublasDgeam_64, 1.0, 0.0, call, stream);
    else if (call.type == Type::c64)
      transpose_by(cublasCgeam_64, make_cuComplex(1, 0), make_cuComplex(0, 0), call, stream);
    else
      transpose_by(cublasZgeam_64, make_cuDoubleComplex(1, 0), make_cuDoubleComplex(0, 0), call,
                   stream);
  }
  /// The multiplication by one.
  static double rounding_steps(const Shape&, Type) { return 1; }
};
const CudaVariant<TransposeGeam> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
