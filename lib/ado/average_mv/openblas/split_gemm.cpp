// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, vendor, split_gemm: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   average, openmp's team, into the workspace; then one cblas_?gemm for all sets
//   scratch   the library's own; workspace: the N x L means, and one number per piece if vectors
//             are few and long
//   bytes     reads v once, a and the means as the library chooses, writes y once
//   needs     OpenBLAS; extents and leading dimensions that its integer holds
//   teaches   as split_gemm.cpp, which calls Kokkos Kernels: the products of all sets are one
//             matrix product, and a library has it
#include <ado/average/openmp.hpp>
#include <ado/average/rows_of_call.hpp>
#include <ado/core/checks.hpp>
#include <ado/host/blas_sizes.hpp>
#include <ado/host/openblas.hpp>
#include <ado/host/variant.hpp>

#include <cblas.h>

#include <type_traits>

namespace ado::bench {
namespace {

template <class T, class Gemm>
void average_mv(const Call& call, Gemm gemm) {
  const Array &v = call.arrays[0], &a = call.arrays[1], &y = call.arrays[2];
  const std::size_t sets = call.shape[0], length = call.shape[1];
  check_blas_sizes<blasint>({sets, length, a.stride[0], y.stride[0]}, "average_mv[split_gemm]");
  if (sets == 0 || length == 0) return;
  T* const mean = static_cast<T*>(call.workspace);
  openmp_average(v, mean, length, mean + sets * length, call.queue.threads, rows_of_all(call));
  openblas_set_num_threads(call.queue.threads);
  const auto rows = static_cast<blasint>(length), columns = static_cast<blasint>(sets);
  gemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, columns, rows, T(1), a.as<const T>(),
       static_cast<blasint>(a.stride[0]), mean, rows, T(0), y.as<T>(),
       static_cast<blasint>(y.stride[0]));
}

struct SplitGemm {
  static constexpr std::string_view algorithm = "average_mv", name = "split_gemm";
  static constexpr std::string_view summary = "averaging by hand, then one OpenBLAS gemm";
  static constexpr Model model = Model::vendor;
  static constexpr TypeSet types = real_types;
  static Library library() { return openblas(); }

  template <class T>
  static void run(const Call& call) {
    if constexpr (std::is_same_v<T, float>)
      average_mv<T>(call, cblas_sgemm);
    else
      average_mv<T>(call, cblas_dgemm);
  }
  static double rounding_steps(const Shape& s, Type type) {
    // The roundings of the mean; the library may sum the L products in any order.
    return openmp_average_steps(s, type) + double(s[1]);
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return checked_product({s[0], s[1], size_of(type)}, "average_mv[split_gemm]: workspace") +
           openmp_average_pieces(s, type).sums() * size_of(type);
  }
};
const HostVariant<SplitGemm> registered{__FILE__};

} // namespace
} // namespace ado::bench
