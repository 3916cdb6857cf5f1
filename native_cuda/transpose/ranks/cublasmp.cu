// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on many ranks, vendor, cublasmp: b[j][i] = a[i][j]
//   mapping   one cublasMpGeadd, the library's own: C = alpha op(A) + beta C with alpha 1, beta 0.
//             It counts by columns, so a is its C x R matrix, whose columns are dealt out to a row
//             of processes in blocks of ceil(R / ranks)
//   scratch   the library's own, as much as it asks for
//   bytes     reads a once, writes b once, where memory is concerned; sends what others need
//   needs     cuBLASMp and NCCL, a GPU for each rank; every rank but the last with ceil(rows /
//             ranks) rows, and columns alike. It multiplies by one, so only floating point
//   teaches   the yardstick on many GPUs: one call of a library for who has block-cyclic matrices
#include <ado/core/error.hpp>
#include <ado/cuda/variant.hpp>
#include <ado/ranks/transpose/uneven.hpp>

#include <cuComplex.h>
#include <cublasmp.h>
#include <native_cuda/core/launch.hpp>
#include <native_cuda/core/ranks.hpp>
#include <native_cuda/transpose/ranks/nccl_group.hpp>
#include <native_cuda/transpose/ranks/ranks.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ado::bench::native {
namespace {

using distributed::Blocks;
using distributed::Comm;

void check_library(cublasMpStatus_t status, const char* what) {
  if (status != CUBLASMP_STATUS_SUCCESS)
    throw Error(std::string("transpose[cublasmp]: ") + what + ": status " + std::to_string(status));
}

/// The library on the ranks of a Comm: its handle, the processes as one row, and the memory it
/// asked for. All calls are on the stream of the first: versions 0.7 and 0.10 name the function
/// that changes it differently.
class Library {
public:
  Library(const Comm& comm, cudaStream_t stream) : nccl_(comm) {
    check_library(cublasMpCreate(&handle, stream), "cublasMpCreate");
    check_library(
        cublasMpGridCreate(1, comm.size(), CUBLASMP_GRID_LAYOUT_COL_MAJOR, nccl_.get(), &grid),
        "cublasMpGridCreate");
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    static_cast<void>(cublasMpGridDestroy(grid));
    static_cast<void>(cublasMpDestroy(handle));
  }

  cublasMpHandle_t handle = nullptr;
  cublasMpGrid_t grid = nullptr;
  RankStaging device;
  std::vector<std::byte> host;

private:
  NcclGroup nccl_; // outlives the grid
};

/// `rows` rows of `length` elements, dealt out.
class Matrix {
public:
  Matrix(const Library& library, const Blocks& rows, const Blocks& length, std::size_t stride,
         cudaDataType_t type) {
    check_library(
        cublasMpMatrixDescriptorCreate(
            static_cast<std::int64_t>(length.total()), static_cast<std::int64_t>(rows.total()),
            static_cast<std::int64_t>(length.count(0)), static_cast<std::int64_t>(rows.count(0)), 0,
            0, static_cast<std::int64_t>(stride), type, library.grid, &descriptor),
        "cublasMpMatrixDescriptorCreate");
  }
  Matrix(const Matrix&) = delete;
  Matrix& operator=(const Matrix&) = delete;
  ~Matrix() { static_cast<void>(cublasMpMatrixDescriptorDestroy(descriptor)); }

  cublasMpMatrixDescriptor_t descriptor = nullptr;
};

template <class T>
void transpose_by_cublasmp(const Comm& comm, const RankMatrices& m, const Blocks& rows,
                           const Blocks& columns, cudaStream_t stream, cudaDataType_t type, T one,
                           T zero) {
  Library& library = comm.kept<Library>([&] { return std::make_shared<Library>(comm, stream); });
  const Matrix a(library, rows, columns, m.lda, type), b(library, columns, rows, m.ldb, type);
  const auto r = static_cast<std::int64_t>(rows.total());
  const auto c = static_cast<std::int64_t>(columns.total());
  std::size_t on_device = 0, on_host = 0;
  check_library(cublasMpGeadd_bufferSize(library.handle, CUBLAS_OP_T, r, c, &one, m.a, 1, 1,
                                         a.descriptor, &zero, m.b, 1, 1, b.descriptor, &on_device,
                                         &on_host),
                "cublasMpGeadd_bufferSize");
  library.device.reserve(on_device);
  if (library.host.size() < on_host) library.host.resize(on_host);
  check_library(cublasMpGeadd(library.handle, CUBLAS_OP_T, r, c, &one, m.a, 1, 1, a.descriptor,
                              &zero, m.b, 1, 1, b.descriptor, library.device.data(), on_device,
                              library.host.data(), on_host),
                "cublasMpGeadd");
  check(cudaStreamSynchronize(stream), "waiting for the library");
}

struct CublasMp {
  static constexpr std::string_view algorithm = "transpose", name = "cublasmp";
  static constexpr Model model = Model::vendor;
  static constexpr std::string_view summary = "cuBLASMp: one cublasMpGeadd";
  static constexpr TypeSet types{Type::f32, Type::f64, Type::c64, Type::c128};
  static constexpr bool on_ranks = true;

  static std::string unfit(const Shape& s, Type) { return uneven(s, "cuBLASMp"); }
  static void run(const Call& call, cudaStream_t stream) {
    const Comm& comm = comm_of(call);
    const Blocks rows(call.shape[0], comm.size()), columns(call.shape[1], comm.size());
    if (rows.total() == 0 || columns.total() == 0) return;
    const auto by = [&](cudaDataType_t type, auto one, auto zero) {
      transpose_by_cublasmp(comm, rank_matrices(call), rows, columns, stream, type, one, zero);
    };
    if (call.type == Type::f32)
      by(CUDA_R_32F, 1.0f, 0.0f);
    else if (call.type == Type::f64)
      by(CUDA_R_64F, 1.0, 0.0);
    else if (call.type == Type::c64)
      by(CUDA_C_32F, make_cuComplex(1, 0), make_cuComplex(0, 0));
    else
      by(CUDA_C_64F, make_cuDoubleComplex(1, 0), make_cuDoubleComplex(0, 0));
  }
  /// The multiplication by one.
  static double rounding_steps(const Shape&, Type) { return 1; }
};
const CudaVariant<CublasMp> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
