// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, kokkos, tuned: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m])
//   mapping   two kernels: `tuned` of average over the N L vectors, then a product over tiles of y
//             (detail/product/). On a GPU, one kernel does both for sets of few short vectors
//             (detail/fused.hpp); so on a host for many sets, whose means then stay in cache
//             (detail/host_sets.hpp)
//   scratch   the tiles of both; workspace: the N x L means
//   bytes     reads v and a once, writes y once; the means stay in cache where they fit
//   needs     workspace of average_mv_bytes()
//   teaches   against `flat`: averaging and product want different mappings, so each gets its own
#include <ado/average/accesses.hpp>
#include <ado/average/rows_of_call.hpp>
#include <ado/average_mv/detail/tuned.hpp>
#include <ado/average_mv/rounding.hpp>
#include <ado/portable/variant.hpp>

namespace ado::bench {

struct AverageMvTunedVariant {
  static constexpr std::string_view algorithm = "average_mv", name = "tuned";
  static constexpr std::string_view summary = "averaging and product each with their best mapping";
  static constexpr TypeSet types = real_types;

  /// The accesses of the averaging on a GPU.
  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return average_accesses::vector_of_team(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const auto v = view_of<Exec, const T***>(call, 0);
      const Array &a = call.arrays[1], &y = call.arrays[2];
      auto vectors = detail::vectors_ref("average_mv", v);
      vectors.all = rows_of_all(call);
      const detail::Product<T> product{.a = a.as<const T>(),
                                       .lda = a.stride[0],
                                       .mean = nullptr,
                                       .y = y.as<T>(),
                                       .y_row = y.stride[0],
                                       .y_column = 1,
                                       .length = vectors.length,
                                       .sets = vectors.sets,
                                       .sets_of_all = sets_of_all(call)};
      detail::average_mv_part(exec, v, vectors, product, static_cast<T*>(call.workspace));
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return detail::average_mv_bytes(s[0], s[1], size_of(type));
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type) {
    return with_real_type(type, [&](auto zero) {
      return average_mv_tuned_steps<Exec, decltype(zero)>(s[0], s[1], s[2]);
    });
  }
};
const PortableVariant<AverageMvTunedVariant> average_mv_tuned_registered{__FILE__};

} // namespace ado::bench
