// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, kokkos_kernels, split_gemm: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   average, team, into the workspace; then one KokkosBlas::gemm for all sets
//   scratch   the library's own; workspace: the N x L means
//   bytes     reads v once, a and the means as the library chooses, writes y once
//   needs     Kokkos Kernels
//   teaches   against vector_mv: the products of all sets are one matrix product, which uses each
//             value it reads many times, and a library has it (it may pass it on to a vendor's
//             BLAS). What is left is the averaging
#include <ado/average/accesses.hpp>
#include <ado/average/average.hpp>
#include <ado/average/call_vectors.hpp>
#include <ado/average/rounding.hpp>
#include <ado/core/checks.hpp>
#include <ado/host/blas_sizes.hpp>
#include <ado/host/openblas.hpp>
#include <ado/portable/variant.hpp>

#include <KokkosBlas3_gemm.hpp>
#include <Kokkos_Core.hpp>

#include <utility>

namespace ado::bench {

struct AverageMvSplitGemmVariant {
  static constexpr std::string_view algorithm = "average_mv", name = "split_gemm";
  static constexpr Model model = Model::kokkos_kernels;
  static constexpr std::string_view summary = "the best averaging, then one KokkosBlas::gemm";
  static constexpr TypeSet types = real_types;
  static Library host_library() { return openblas(); }

  /// The accesses of the averaging on a GPU; those of the library are its own.
  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return average_accesses::vector_of_team(s, type);
  }
  /// Rows of a row-major matrix as the columns of a LayoutLeft one, with a leading dimension.
  template <class Exec, class T>
  static auto transposed(T* data, std::size_t rows, std::size_t columns, std::size_t ld) {
    using Left = Kokkos::View<T**, Kokkos::LayoutLeft, typename Exec::memory_space,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    return Left(Kokkos::subview(Left(data, ld, rows), std::make_pair(std::size_t{0}, columns),
                                Kokkos::ALL));
  }

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const Array &a = call.arrays[1], &y = call.arrays[2];
      const std::size_t sets = call.shape[0], length = call.shape[1];
      if (sets == 0 || length == 0) return;
      check_blas_sizes<int>({sets, length, a.stride[0], y.stride[0]}, "average_mv[split_gemm]");
      T* const partial = static_cast<T*>(call.workspace);
      T* const mean = partial + average_workspace_bytes(sizeof(T)) / sizeof(T);
      average_tuned(exec, vectors_of<T>(call), mean, length, partial);
      // y^T = mean a^T: LayoutLeft is the layout that gemm is compiled for and hands to a BLAS.
      KokkosBlas::gemm(exec, "T", "N", T(1), transposed<Exec, const T>(mean, sets, length, length),
                       transposed<Exec>(a.as<const T>(), length, length, a.stride[0]), T(0),
                       transposed<Exec>(y.as<T>(), length, sets, y.stride[0]));
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return average_workspace_bytes(size_of(type)) +
           checked_product({s[0], s[1], size_of(type)}, "average_mv[split_gemm]: workspace");
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type) {
    // The roundings of the mean; the library may sum the L products in any order.
    return with_real_type(type,
                          [&](auto zero) {
                            return average_tuned_steps<Exec, decltype(zero)>(s[0] * s[1], s[2]);
                          }) +
           double(s[1]);
  }
};
const PortableVariant<AverageMvSplitGemmVariant> average_mv_split_gemm_registered{__FILE__};

} // namespace ado::bench
