// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, kokkos, tuned: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m])
//   mapping   two kernels: `tuned` of average over the N L vectors, then a product over tiles of y
//             (detail/team.hpp). On a GPU, one kernel does both for sets of few short vectors
//             (detail/fused.hpp); so on a host for many sets, whose means then stay in cache
//             (detail/host_sets.hpp)
//   scratch   the tiles of both; workspace: the N x L means
//   bytes     reads v and a once, writes y once; the means stay in cache where they fit
//   needs     workspace of average_mv_workspace_bytes()
//   teaches   against `flat`: averaging and product want different mappings, so each gets its own
#include <ado/average/accesses.hpp>
#include <ado/average/rows_of_call.hpp>
#include <ado/average_mv/average_mv.hpp>
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
      Workspace<Exec> workspace(call.workspace, workspace_bytes(call.shape, call.type));
      detail::average_mv_part(exec, view_of<Exec, const T***>(call, 0),
                              view_of<Exec, const T**>(call, 1), view_of<Exec, T**>(call, 2),
                              workspace, rows_of_all(call), sets_of_all(call));
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return average_mv_workspace_bytes(s[0], s[1], size_of(type));
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
