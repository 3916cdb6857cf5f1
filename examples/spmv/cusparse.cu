// spmv, vendor, cusparse: one call of cuSPARSE
//   mapping   cusparseSpMV of a matrix in compressed rows, after cusparseSpMV_preprocess
//   teaches   the speed of the library call that one would use instead
#include "spmv.hpp"
#include <ado/cuda/variant.hpp>

#include <cusparse.h>

namespace bench = ado::bench;

namespace spmv {

namespace {

void check(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS) throw ado::Error(cusparseGetErrorString(status));
}

/// The cuSPARSE handle, the descriptors and the buffer, set up before the multiplication.
template <class T>
class Product {
public:
  Product() { check(cusparseCreate(&handle_)); }

  /// Called whenever the arrays change.
  void set(const Csr<T>& a, cudaStream_t stream) {
    release();
    check(cusparseSetStream(handle_, stream));
    const auto rows = std::int64_t(a.rows);
    check(cusparseCreateConstCsr(&a_, rows, rows, std::int64_t(a.nonzeros), a.starts, a.columns,
                                 a.values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_BASE_ZERO, type));
    check(cusparseCreateConstDnVec(&x_, rows, a.x, type));
    check(cusparseCreateDnVec(&y_, rows, a.y, type));
    std::size_t bytes = 0;
    check(cusparseSpMV_bufferSize(handle_, op, &one, a_, x_, &zero, y_, type, algorithm, &bytes));
    if (cudaMalloc(&buffer_, bytes) != cudaSuccess) throw ado::Error("cuSPARSE: no memory");
    check(cusparseSpMV_preprocess(handle_, op, &one, a_, x_, &zero, y_, type, algorithm, buffer_));
  }
  void run() {
    check(cusparseSpMV(handle_, op, &one, a_, x_, &zero, y_, type, algorithm, buffer_));
  }

private:
  static constexpr cudaDataType type = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
  static constexpr cusparseOperation_t op = CUSPARSE_OPERATION_NON_TRANSPOSE;
  static constexpr cusparseSpMVAlg_t algorithm = CUSPARSE_SPMV_CSR_ALG1;
  const T one = 1, zero = 0;
  cusparseHandle_t handle_ = nullptr;
  cusparseConstSpMatDescr_t a_ = nullptr;
  cusparseConstDnVecDescr_t x_ = nullptr;
  cusparseDnVecDescr_t y_ = nullptr;
  void* buffer_ = nullptr;

  void release() {
    if (a_ == nullptr) return;
    cudaFree(buffer_); // waits until nothing uses it
    cusparseDestroySpMat(a_);
    cusparseDestroyDnVec(x_);
    cusparseDestroyDnVec(y_);
    a_ = nullptr;
  }
};

template <class T>
Product<T>& product() {
  static Product<T> one;
  return one;
}

struct Cusparse : SpmvVariant {
  static constexpr std::string_view name = "cusparse", summary = "one call of cuSPARSE";
  static constexpr bench::Model model = bench::Model::vendor;

  template <class T>
  static void prepare(const bench::Call& call, cudaStream_t stream) {
    product<T>().set(Csr<T>(call), stream);
  }
  template <class T>
  static void run(const bench::Call&, cudaStream_t) {
    product<T>().run();
  }
};
const bench::CudaVariant<Cusparse> registered{__FILE__};

} // namespace

} // namespace spmv
