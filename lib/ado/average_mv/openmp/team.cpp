// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, openmp, team: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m]), by hand
//   mapping   many sets: threads share blocks of them; each averages a block, SIMD along m, and
//             multiplies its means, SIMD along the sets, 6 or 12 rows of a at a time. Else two
//             loops: over the N L vectors, then over tiles of y
//   scratch   packed panels of means per thread, in L2; workspace: the N x L means, and one number
//             per piece if vectors are few and long
//   bytes     reads v and a once, writes y once; the means stay in cache where they fit
//   shares    the product runs the kernel of `kokkos/tuned`, so their ratio shows only the
//             averaging and the dispatch
//   teaches   what a C++ programmer writes without Kokkos: the twin that `team` is measured against
#include <ado/average/openmp.hpp>
#include <ado/average/rows_of_call.hpp>
#include <ado/average_mv/detail/product/host.hpp>
#include <ado/average_mv/openmp.hpp>
#include <ado/host/variant.hpp>

namespace ado::bench {
namespace {

struct Team {
  static constexpr std::string_view algorithm = "average_mv", name = "team";
  static constexpr std::string_view summary =
      "by hand: parallel for over vectors, then over tiles of y";
  static constexpr Model model = Model::openmp;
  static constexpr std::string_view shared_kernel = "detail/product/host.hpp";
  static constexpr TypeSet types = real_types;

  template <class T>
  static void run(const Call& call) {
    const Array &v = call.arrays[0], &a = call.arrays[1], &y = call.arrays[2];
    auto* mean = static_cast<T*>(call.workspace);
    T* const partial = mean + v.extent[0] * v.extent[1];
    const Product<T> product{.a = a.as<const T>(),
                             .lda = a.stride[0],
                             .mean = mean,
                             .y = y.as<T>(),
                             .y_row = y.stride[0],
                             .y_column = 1,
                             .length = v.extent[1],
                             .sets = v.extent[0]};
    const std::size_t at_once = host_sets::sets_at_once<T>(v.extent[0], v.extent[1], v.extent[2],
                                                           std::size_t(call.queue.threads));
    const OpenmpPieces pieces(rows_of_all(call), v.extent[2], sizeof(T));
    if (at_once != 0 && !pieces.cut() && pieces.rows >= openmp_rows_at_once)
      return openmp_average_sets(v, product, at_once, mean, call.queue.threads);
    openmp_average(v, mean, v.extent[1], partial, call.queue.threads, pieces.rows);
    openmp_multiply(product, call.queue.threads);
  }
  static double rounding_steps(const Shape& s, Type type) {
    return openmp_average_steps(s, type) + host_product::rounding_steps(s[1]);
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return checked_product({s[0], s[1], size_of(type)}, "average_mv[openmp]: workspace") +
           openmp_average_pieces(s, type).sums() * size_of(type);
  }
};
const HostVariant<Team> registered{__FILE__};

} // namespace
} // namespace ado::bench
