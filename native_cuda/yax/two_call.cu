// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, two_call: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   cublas<t>gemv for a x, then cublas<t>dot with y
//   scratch   the library's own; workspace: what cuBLAS wants, then a x, one element a row
//   bytes     reads a, x and y once, writes and reads a x in between
//   needs     cuBLAS; any alignment
//   teaches   the yardstick: what two library calls give. They cannot know that the result of the
//             first is wanted once only, which costs little as long as rows are long

#include <ado/core/checks.hpp>
#include <ado/cuda/variant.hpp>

#include <native_cuda/core/cublas.hpp>

#include <cstdint>

namespace ado::bench::native {
namespace {

/// cuBLAS' name for one operation on float and on double. With 64-bit integers throughout.
constexpr auto gemv(float) { return cublasSgemv_64; }
constexpr auto gemv(double) { return cublasDgemv_64; }
constexpr auto dot(float) { return cublasSdot_64; }
constexpr auto dot(double) { return cublasDdot_64; }

struct TwoCall {
  static constexpr std::string_view algorithm = "yax", name = "two_call";
  static constexpr Model model = Model::vendor;
  static constexpr std::string_view summary = "cuBLAS gemv, then cuBLAS dot";
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &y = call.arrays[0], &a = call.arrays[1], &x = call.arrays[2];
    const auto rows = static_cast<std::int64_t>(call.shape[0]);
    const auto columns = static_cast<std::int64_t>(call.shape[1]);
    T* const result = call.arrays[3].as<T>();
    if (rows == 0 || columns == 0) { // gemv would leave its output as it is
      check(cudaMemsetAsync(result, 0, sizeof(T), stream), "yax[two_call]: result = 0");
      return;
    }
    const cublasHandle_t handle = cublas_handle(stream, call.workspace);
    T* const product =
        reinterpret_cast<T*>(static_cast<std::byte*>(call.workspace) + cublas_workspace_bytes);
    // Rows of a are columns to cuBLAS.
    const T one = 1, zero = 0;
    check(gemv(T{})(handle, CUBLAS_OP_T, columns, rows, &one, a.as<const T>(),
                    static_cast<std::int64_t>(a.stride[0]), x.as<const T>(), 1, &zero, product, 1),
          "cuBLAS gemv");
    // Into device memory, or dot would wait for its result. Other calls want the scalars of a host.
    check(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), "cublasSetPointerMode");
    const cublasStatus_t status = dot(T{})(handle, rows, y.as<const T>(), 1, product, 1, result);
    check(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST), "cublasSetPointerMode");
    check(status, "cuBLAS dot");
  }
  template <class T>
  static double rounding_steps(const Shape& s) {
    // How the library sums is its to choose, so any order is allowed for.
    return static_cast<double>(s[1]) + 1 + static_cast<double>(s[0]) + 1;
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return cublas_workspace_bytes + checked_product({s[0], sizeof(T)}, "yax[two_call]: workspace");
  }
};
const CudaVariant<TwoCall> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
