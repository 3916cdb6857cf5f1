// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, vendor, split_gemm: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   average, team, into the workspace; then one cuBLAS gemm for all sets
//   scratch   cuBLAS' own; workspace: the N x L means, and what both steps need after each other
//   bytes     reads v once, a and the means as cuBLAS chooses, writes y once
//   needs     cuBLAS
//   teaches   against vector_mv: the products of all sets are one matrix product, which uses each
//             value it reads many times, and a library has it. What is left is the averaging
#include <ado/core/checks.hpp>
#include <ado/cuda/variant.hpp>

#include <native_cuda/average/average.hpp>
#include <native_cuda/core/cublas.hpp>

#include <algorithm>
#include <cstdint>

namespace ado::bench::native {
namespace {

// Their 64-bit forms, for each type.
cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                    std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
                    std::int64_t lda, const float* b, std::int64_t ldb, float beta, float* c,
                    std::int64_t ldc) {
  return cublasSgemm_64(handle, op_a, op_b, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
}
cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                    std::int64_t m, std::int64_t n, std::int64_t k, double alpha, const double* a,
                    std::int64_t lda, const double* b, std::int64_t ldb, double beta, double* c,
                    std::int64_t ldc) {
  return cublasDgemm_64(handle, op_a, op_b, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
}

struct SplitGemm {
  static constexpr std::string_view algorithm = "average_mv", name = "split_gemm";
  static constexpr Model model = Model::vendor;
  static constexpr std::string_view summary = "the best averaging, then one cuBLAS gemm";
  static constexpr TypeSet types = real_types;

  template <class T>
  static std::size_t means_bytes(const Shape& s) {
    return round_up(checked_product({s[0], s[1], sizeof(T)}, "average_mv[split_gemm]: workspace"),
                    256);
  }
  template <class T>
  static void run(const Call& call, cudaStream_t stream) {
    const Array &v = call.arrays[0], &a = call.arrays[1], &y = call.arrays[2];
    const auto [sets, length, count] = call.shape;
    if (sets == 0 || length == 0) return;
    T* const mean = static_cast<T*>(call.workspace);
    void* const rest = static_cast<char*>(call.workspace) + means_bytes<T>(call.shape);
    average(sets, length, count, v.as<const T>(), v.stride[0], v.stride[1], mean, length, rest,
            stream);
    // What is row-major here is the transposed matrix to cuBLAS: y^T = mean a^T.
    check(gemm(cublas_handle(stream, rest), CUBLAS_OP_T, CUBLAS_OP_N, sets, length, length, T(1),
               mean, length, a.as<const T>(), a.stride[0], T(0), y.as<T>(), y.stride[0]),
          "average_mv[split_gemm]");
  }
  /// Those of the mean; how cuBLAS sums is its own choice, so any order of L products is allowed.
  template <class T>
  static double rounding_steps(const Shape& s) {
    return average_rounding_steps<T>(s[0], s[1], s[2]) + static_cast<double>(s[1]);
  }
  template <class T>
  static std::size_t workspace_bytes(const Shape& s) {
    return means_bytes<T>(s) +
           std::max(average_workspace_bytes<T>(s[0], s[1], s[2]), cublas_workspace_bytes);
  }
};
const CudaVariant<SplitGemm> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
