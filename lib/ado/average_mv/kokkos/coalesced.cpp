// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, kokkos, coalesced: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m])
//   mapping   team: set n; thread: a vector of the set, its lanes side by side in m. Then all
//             threads and lanes sweep row after row of a, side by side in j
//   scratch   the L means of the set and a sum a thread; the means are in the workspace where
//             they are more than 32 KiB with 1024 sums
//   bytes     reads v once, and a once per set from L2, both in whole sectors
//   needs     nothing
//   teaches   against block_per_set: lanes that read neighbouring elements share their sectors, and
//             a vector reduction joins their sums. What limits next is the sweep: its
//             barriers, and scratch that all warps ask for though half of them are done
#include <ado/average_mv/accesses.hpp>
#include <ado/average_mv/kokkos/set_teams.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct AverageMvCoalesced {
  using Member = typename SweepArrays<Exec, T>::Member;
  SweepArrays<Exec, T> s;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t n = team.league_rank();
    T* const mean = s.means(team);
    const int threads = team.team_size() * vector_lanes<Exec>;
    T* const sums = s.sums(team, threads);
    average_by_lanes(team, s, n, mean);
    multiply_by_sweep(team, s, n, mean, sums, threads);
  }
};

struct AverageMvCoalescedVariant {
  static constexpr std::string_view algorithm = "average_mv", name = "coalesced";
  static constexpr std::string_view summary = "a team a set, vector lanes side by side in m";
  static constexpr std::array cures{Cause::uncoalesced};
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return average_mv_accesses::sets_by_lanes(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using Kernel = AverageMvCoalesced<Exec, decltype(zero)>;
      launch_sweeps<Kernel>(name, exec, call, call.shape[0], vector_lanes<Exec>);
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return means_workspace_bytes(s[0], s[1], size_of(type), most_set_threads);
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type, const Launch& launch) {
    return set_rounding_steps(s[1], s[2], vector_lanes<Exec>, sweep_threads<Exec>(launch, s[1]));
  }
};
const PortableVariant<AverageMvCoalescedVariant> average_mv_coalesced_registered{__FILE__};

} // namespace ado::bench
