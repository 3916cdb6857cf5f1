// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, row_per_vector: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   league: blocks of as many rows as a team has threads; thread: a row, its vector lanes
//             side by side in j. A team adds its rows; a second kernel of one team adds the sums of
//             the teams (row_per_vector.hpp)
//   scratch   the team's reduction; workspace: one number a team
//   bytes     reads a once, x once a row (from cache), y once
//   needs     any team size that is a multiple of the vector's lanes
//   teaches   against `row_per_thread`: neighbouring lanes read neighbouring elements, so each
//             sector of a is fetched once and used whole. What remains: a load brings one element,
//             and few loads are in flight; `tuned` fixes both. On a host a vector is one lane,
//             which adds one by one
#include <ado/portable/variant.hpp>
#include <ado/portable/vector_sum.hpp>
#include <ado/yax/accesses.hpp>
#include <ado/yax/kokkos/row_per_vector.hpp>

namespace ado::bench {

struct FourLoadsAtATime {
  template <class T, class Member, class Row, class X>
  static KOKKOS_INLINE_FUNCTION T of(const Member& team, std::size_t count, const Row& a,
                                     const X& x) {
    return vector_sum<T>(team, count, [&](std::size_t j) { return a(j) * x(j); });
  }
};

struct YaxRowPerVectorVariant {
  static constexpr std::string_view algorithm = "yax", name = "row_per_vector";
  static constexpr std::string_view summary = "a thread's vector lanes share a row: coalesced";
  static constexpr std::array cures{Cause::few_teams, Cause::uncoalesced};
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_warp(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    yax_row_per_vector<RegistersFirst, FourLoadsAtATime>(
        "ado::yax::rows[row_per_vector]", "ado::yax::finish[row_per_vector]", exec, call);
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return yax_row_per_vector_workspace(s, type, "yax[row_per_vector]: workspace");
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type, const Launch& launch) {
    return yax_row_per_vector_steps<Exec>(s, type, launch);
  }
};
const PortableVariant<YaxRowPerVectorVariant> yax_row_per_vector_registered{__FILE__};

} // namespace ado::bench
