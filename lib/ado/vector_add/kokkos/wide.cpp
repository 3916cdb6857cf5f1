// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, kokkos, wide: c[i] = a[i] + b[i]
//   mapping   as `coalesced`, a lane moves packs of 16 bytes
//   scratch   none
//   bytes     reads a and b once, writes c once
//   needs     packs where a, b and c all start on boundaries of 16 bytes, elsewhere an element at a
//             time; up to 2^24 teams
//   teaches   against `coalesced`: the same bytes in a quarter of the instructions (half with
//             8-byte elements), and correspondingly more bytes in flight. A memory that is already
//             busy gains nothing; few teams, set with --league-size, show the difference. What
//             remains: vectors that start off a boundary, which `tuned` handles
#include <ado/portable/variant.hpp>
#include <ado/vector_add/call_vectors.hpp>
#include <ado/vector_add/detail/unit.hpp>
#include <ado/vector_add/kokkos/shares.hpp>
#include <ado/vector_add/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

/// Unit: Pack<T>, or T.
template <class Exec, class T, class Unit>
struct VectorAddWide {
  static constexpr std::size_t size = elements_of<Unit>;

  Vectors<T> v;
  std::size_t per_team; ///< units

  KOKKOS_FUNCTION void operator()(const typename Teams<Exec>::member_type& team) const {
    const auto* a = reinterpret_cast<const Unit*>(v.a);
    const auto* b = reinterpret_cast<const Unit*>(v.b);
    auto* c = reinterpret_cast<Unit*>(v.c);
    const std::size_t units = v.n / size;
    const VectorAddShare share = share_of(team, per_team, units);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, share.first, share.last),
                         [&](std::size_t k) {
                           const Unit of_a = a[k], of_b = b[k]; // whole: else nvcc splits the loads
                           c[k] = sum_of(of_a, of_b);
                         });
    if (team.league_rank() == 0) // less than a unit is left
      Kokkos::parallel_for(Kokkos::TeamVectorRange(team, units * size, v.n),
                           [&](std::size_t i) { v.c[i] = v.a[i] + v.b[i]; });
  }
};

struct VectorAddWideVariant : VectorAddByPacks {
  static constexpr std::string_view name = "wide";
  static constexpr std::string_view summary = "16-byte accesses";
  static constexpr std::array cures{Cause::few_bytes};
  static constexpr bool takes_league_size = true;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      const Vectors<T> v = vectors_of<T>(call);
      if (aligned_to_pack(v.a) && aligned_to_pack(v.b) && aligned_to_pack(v.c))
        launch<Pack<T>>(exec, v, call.launch.league_size);
      else
        launch<T>(exec, v, call.launch.league_size);
    });
  }
  template <class Unit, class Exec, class T>
  static void launch(const Exec& exec, const Vectors<T>& v, int league_size) {
    using Kernel = VectorAddWide<Exec, T, Unit>;
    const char* label = "ado::vector_add[wide]";
    const auto shares = vector_add_shares(label, exec, v.n / Kernel::size, 1, league_size);
    Kokkos::parallel_for(label, shares.policy, Kernel{v, shares.per_team});
  }
};
const PortableVariant<VectorAddWideVariant> vector_add_wide_registered{__FILE__};

} // namespace ado::bench
