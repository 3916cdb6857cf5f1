// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, kokkos, coalesced: c[i] = a[i] + b[i]
//   mapping   each team has a contiguous share, its lanes side by side: on a device one element per
//             lane, or with --league-size as many as fall to it; on a host one share per core
//   scratch   none
//   bytes     reads a and b once, writes c once
//   needs     up to 2^24 teams
//   teaches   against `strided`: neighbouring lanes touch neighbouring elements, so a sector of 32
//             bytes is moved once and used whole. What remains: a load brings one element, and a
//             thread has two loads in flight. Few teams, set with --league-size, show how many it
//             takes
#include <ado/portable/variant.hpp>
#include <ado/vector_add/kokkos/shares.hpp>
#include <ado/vector_add/kokkos/views.hpp>
#include <ado/vector_add/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct VectorAddCoalesced {
  VectorAddViews<Exec, T> v;
  std::size_t per_team;

  KOKKOS_FUNCTION void operator()(const typename Teams<Exec>::member_type& team) const {
    const VectorAddShare share = share_of(team, per_team, v.c.extent(0));
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, share.first, share.last),
                         [&](std::size_t i) { v.c(i) = v.a(i) + v.b(i); });
  }
};

struct VectorAddCoalescedVariant : VectorAddByElements {
  static constexpr std::string_view name = "coalesced";
  static constexpr std::string_view summary = "neighbouring lanes, neighbouring elements";
  static constexpr std::array cures{Cause::uncoalesced};
  static constexpr bool takes_league_size = true;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      const char* label = "ado::vector_add[coalesced]";
      const auto shares = vector_add_shares(label, exec, call.shape[0], 1, call.launch.league_size);
      Kokkos::parallel_for(
          label, shares.policy,
          VectorAddCoalesced<Exec, T>{VectorAddViews<Exec, T>(call), shares.per_team});
    });
  }
};
const PortableVariant<VectorAddCoalescedVariant> vector_add_coalesced_registered{__FILE__};

} // namespace ado::bench
