// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, kokkos, thread_mv: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m])
//   mapping   team: set n; thread: a vector of the set, its lanes side by side in m; in the product
//             each lane has a row of its own
//   scratch   the L means of the set; in the workspace where they are more than 32 KiB
//   bytes     reads v once, in whole sectors; reads a once per set, from L2, with lanes a row apart
//   needs     nothing
//   teaches   against coalesced: a row of its own for each thread needs no sweep, so no barriers
//             and no scratch but the means. The price is that its reads of a are uncoalesced, which
//             limits next
#include <ado/average_mv/accesses.hpp>
#include <ado/average_mv/kokkos/set_teams.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct AverageMvThreadMv {
  using Member = typename SetArrays<Exec, T>::Member;
  SetArrays<Exec, T> s;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t n = team.league_rank();
    T* const mean = s.means(team);
    average_by_lanes(team, s, n, mean);
    team.team_barrier();
    multiply_by_threads(team, s, n, mean);
  }
};

struct AverageMvThreadMvVariant {
  static constexpr std::string_view algorithm = "average_mv", name = "thread_mv";
  static constexpr std::string_view summary =
      "a team a set, vector lanes in m, then a thread a row";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    using namespace average_mv_accesses;
    return {v_by_lanes(s, type), a_by_threads(s, type), y_by_threads(s, type)};
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using Kernel = AverageMvThreadMv<Exec, decltype(zero)>;
      launch_sets<Kernel>(name, exec, call, call.shape[0], vector_lanes<Exec>, team_threads<Exec>);
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return means_workspace_bytes(s[0], s[1], size_of(type));
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type) {
    return set_rounding_steps(s[1], s[2], vector_lanes<Exec>, 1);
  }
};
const PortableVariant<AverageMvThreadMvVariant> average_mv_thread_mv_registered{__FILE__};

} // namespace ado::bench
