// batched_gemm, vendor, cublas: one call of cuBLAS
//   mapping   cublasSgemmStridedBatched and cublasDgemmStridedBatched; arrays are row-major, so the
//             two factors swap places
//   teaches   the speed of the library call that one would use instead
#include "gemm.hpp"
#include <ado/cuda/variant.hpp>

#include <cublas_v2.h>

namespace bench = ado::bench;

namespace batched_gemm {

namespace {

void check(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) throw ado::Error(cublasGetStatusString(status));
}

cublasStatus_t multiply(cublasHandle_t handle, int n, const float* a, const float* x, float* c,
                        int batch) {
  const float one = 1, zero = 0;
  return cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, x, n, n * n, a,
                                   n, n * n, &zero, c, n, n * n, batch);
}
cublasStatus_t multiply(cublasHandle_t handle, int n, const double* a, const double* x, double* c,
                        int batch) {
  const double one = 1, zero = 0;
  return cublasDgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, x, n, n * n, a,
                                   n, n * n, &zero, c, n, n * n, batch);
}

struct Cublas : GemmVariant {
  static constexpr std::string_view name = "cublas", summary = "one call of cuBLAS";
  static constexpr bench::Model model = bench::Model::vendor;

  template <class T>
  static void run(const bench::Call& call, cudaStream_t stream) {
    static cublasHandle_t handle = [] {
      cublasHandle_t made;
      check(cublasCreate(&made));
      return made;
    }();
    const Batch<T> g(call);
    check(cublasSetStream(handle, stream));
    check(multiply(handle, int(g.order), g.a, g.x, g.c, int(g.batch)));
  }
};
const bench::CudaVariant<Cublas> registered{__FILE__};

} // namespace

} // namespace batched_gemm
