// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, kokkos, block_per_set: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m])
//   mapping   team: set n; thread: a vector of the set, summed from m = 0 up. Then all threads
//             sweep row after row of a, side by side in j
//   scratch   the L means of the set and a sum a thread; the means are in the workspace where
//             they are more than 32 KiB with 1024 sums
//   bytes     reads v once in principle; but on a GPU neighbouring threads read a whole vector
//             apart, so each load of a warp touches 32 sectors. Reads a once per set, from L2, in
//             whole sectors
//   needs     nothing
//   teaches   against one_block: one team per set fills the device; a single team leaves all but
//             one multiprocessor idle. The next limit is the uncoalesced loads of v
#include <ado/average_mv/accesses.hpp>
#include <ado/average_mv/kokkos/set_teams.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct AverageMvBlockPerSet {
  using Member = typename SweepArrays<Exec, T>::Member;
  SweepArrays<Exec, T> s;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t n = team.league_rank();
    T* const mean = s.means(team);
    const int threads = team.team_size();
    T* const sums = s.sums(team, threads);
    average_by_threads(team, s, n, mean);
    multiply_by_sweep(team, s, n, mean, sums, threads);
  }
};

struct AverageMvBlockPerSetVariant {
  static constexpr std::string_view algorithm = "average_mv", name = "block_per_set";
  static constexpr std::string_view summary =
      "a team a set, a thread a vector: fills the device, uncoalesced";
  static constexpr std::array cures{Cause::few_teams};
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    using namespace average_mv_accesses;
    return {v_by_threads(s, type), a_by_lanes(s, type), y_by_warps(s, type)};
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using Kernel = AverageMvBlockPerSet<Exec, decltype(zero)>;
      launch_sweeps<Kernel>(name, exec, call, call.shape[0], 1);
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return means_workspace_bytes(s[0], s[1], size_of(type), most_set_threads);
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type, const Launch& launch) {
    return set_rounding_steps(s[1], s[2], 1, sweep_threads<Exec>(launch, s[1]));
  }
};
const PortableVariant<AverageMvBlockPerSetVariant> average_mv_block_per_set_registered{__FILE__};

} // namespace ado::bench
