// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, kokkos, one_block: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m])
//   mapping   one team walks through all sets; thread: a vector of the set, summed from m = 0 up.
//             Then all threads sweep row after row of a, side by side in j
//   scratch   the L means of one set, reused, and a sum a thread; the means are in the workspace
//             where they are more than 32 KiB with 1024 sums
//   bytes     as block_per_set
//   needs     nothing
//   teaches   what a league of one costs: a team stays on one multiprocessor (on a host, one core),
//             and all others idle. Against flat: barriers let the threads of a team share a set
#include <ado/average_mv/accesses.hpp>
#include <ado/average_mv/kokkos/set_teams.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct AverageMvOneBlock {
  using Member = typename SweepArrays<Exec, T>::Member;
  SweepArrays<Exec, T> s;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    T* const mean = s.means(team);
    const int threads = team.team_size();
    T* const sums = s.sums(team, threads);
    for (std::size_t n = 0; n < s.v.sets; ++n) {
      average_by_threads(team, s, n, mean);
      // Its barriers come after the last means are read, so the next set may overwrite them.
      multiply_by_sweep(team, s, n, mean, sums, threads);
    }
  }
};

struct AverageMvOneBlockVariant {
  static constexpr std::string_view algorithm = "average_mv", name = "one_block";
  static constexpr std::string_view summary = "one team walks through all sets";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    using namespace average_mv_accesses;
    return {v_by_threads(s, type), a_by_lanes(s, type), y_by_warps(s, type)};
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using Kernel = AverageMvOneBlock<Exec, decltype(zero)>;
      launch_sweeps<Kernel>(name, exec, call, 1, 1);
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return means_workspace_bytes(1, s[1], size_of(type), most_set_threads);
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type, const Launch& launch) {
    return set_rounding_steps(s[1], s[2], 1, sweep_threads<Exec>(launch, s[1]));
  }
};
const PortableVariant<AverageMvOneBlockVariant> average_mv_one_block_registered{__FILE__};

} // namespace ado::bench
