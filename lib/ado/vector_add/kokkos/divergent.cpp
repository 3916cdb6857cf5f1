// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, kokkos, divergent: c[i] = a[i] + b[i]
//   mapping   as `coalesced`; each sum is rotated bit by bit until it is itself again, in one of
//             two loops: to the left if i / stride is even, to the right if it is odd
//   scratch   none
//   bytes     reads a and b once, writes c once
//   needs     up to 2^24 teams
//   teaches   the 32 lanes of a warp share one instruction counter. If they disagree on a branch,
//             the warp goes both ways, one after the other, with half of its lanes idle. With
//             --stride 1 (default) to 16 each warp does the work of two. With --stride 32 and its
//             multiples whole warps agree, and each does the work of one. The work and the branch
//             are the same; only the lanes that take it differ
#include <ado/core/elements.hpp>
#include <ado/portable/variant.hpp>
#include <ado/vector_add/kokkos/shares.hpp>
#include <ado/vector_add/kokkos/views.hpp>
#include <ado/vector_add/variant.hpp>

#include <Kokkos_Core.hpp>

#include <climits>
#include <type_traits>

namespace ado::bench {

template <class Exec, class T>
struct VectorAddDivergent {
  using Bits = ElementOfBytes<sizeof(T)>;
  static constexpr int width = 8 * sizeof(T);

  VectorAddViews<Exec, T> v;
  std::size_t per_team, stride;
  int turns; ///< a multiple of the width that the compiler does not know

  KOKKOS_FUNCTION void operator()(const typename Teams<Exec>::member_type& team) const {
    const VectorAddShare share = share_of(team, per_team, v.c.extent(0));
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, share.first, share.last),
                         [&](std::size_t i) {
                           Bits bits = Kokkos::bit_cast<Bits>(static_cast<T>(v.a(i) + v.b(i)));
                           if (i / stride % 2 == 0) {
                             ADO_UNROLL_BY(1) // so that both loops have the same instructions
                             for (int turn = 0; turn < turns; ++turn)
                               bits = bits << 1 | bits >> (width - 1);
                           } else {
                             ADO_UNROLL_BY(1)
                             for (int turn = 0; turn < turns; ++turn)
                               bits = bits >> 1 | bits << (width - 1);
                           }
                           v.c(i) = Kokkos::bit_cast<T>(bits);
                         });
  }
};

struct VectorAddDivergentVariant : VectorAddByElements {
  static constexpr std::string_view name = "divergent";
  static constexpr std::string_view summary = "neighbouring lanes take different branches";
  static constexpr bool takes_league_size = true, takes_stride = true;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      const char* label = "ado::vector_add[divergent]";
      const auto shares = vector_add_shares(label, exec, call.shape[0], 1, call.launch.league_size);
      const std::size_t stride = checked_stride(call.launch.stride, 1, INT_MAX, label);
      Kokkos::parallel_for(
          label, shares.policy,
          VectorAddDivergent<Exec, T>{VectorAddViews<Exec, T>(call), shares.per_team, stride, 64});
    });
  }
};
const PortableVariant<VectorAddDivergentVariant> vector_add_divergent_registered{__FILE__};

} // namespace ado::bench
