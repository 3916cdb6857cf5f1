// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, kokkos, tuned: mean[n][l] = (sum over m of v[n][l][m]) / M
//   mapping   device: that of `team`, which takes as long. host: a thread takes a block of (n, l)
//             vectors, the rows of v, and reads four at once; its lanes are a SIMD register. Rows
//             that are cut are left to `team`
//   scratch   none; workspace: one number per piece of a cut row
//   bytes     reads v once, writes mean once
//   needs     nothing
//   teaches   against `flat`: lanes that read neighbouring elements share cache lines (coalesced
//             access), and eight 16-byte loads in flight hide the latency of memory
#include <ado/average/accesses.hpp>
#include <ado/average/average.hpp>
#include <ado/average/rounding.hpp>
#include <ado/average/rows_of_call.hpp>
#include <ado/portable/variant.hpp>

namespace ado::bench {

struct AverageTunedVariant {
  static constexpr std::string_view algorithm = "average", name = "tuned";
  static constexpr std::string_view summary =
      "on a GPU as `team`; a host adds blocks of rows in registers";
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return average_accesses::vector_of_team(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      Workspace<Exec> workspace(call.workspace, workspace_bytes(call.shape, call.type));
      detail::average_part(exec, view_of<Exec, const T***>(call, 0), view_of<Exec, T**>(call, 1),
                           workspace, rows_of_all(call));
    });
  }
  static std::size_t workspace_bytes(const Shape&, Type type) {
    return average_workspace_bytes(size_of(type));
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type) {
    return with_real_type(type, [&](auto zero) {
      return average_tuned_steps<Exec, decltype(zero)>(s[0] * s[1], s[2]);
    });
  }
};
const PortableVariant<AverageTunedVariant> average_tuned_registered{__FILE__};

} // namespace ado::bench
