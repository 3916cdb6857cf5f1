// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, kokkos, block_per_set: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m])
//   mapping   team: set n; thread: a vector of the set, summed from m = 0 up, then a row of the
//             product
//   scratch   the L means of the set; in the workspace where they are more than 32 KiB
//   bytes     reads v once in principle; but on a GPU neighbouring threads read a whole vector apart, so
//             each load of a warp touches 32 sectors. Reads a once per set, from L2, in the same way
//   needs     nothing
//   teaches   against one_block: one team per set fills the device; a single team leaves all but one
//             multiprocessor idle. The next limit is the uncoalesced loads
#include <ado/average_mv/accesses.hpp>
#include <ado/average_mv/kokkos/set_teams.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado {

template <class Exec, class T>
struct AverageMvBlockPerSet {
  using Member = typename SetArrays<Exec, T>::Member;
  SetArrays<Exec, T> s;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t n = team.league_rank();
    T* const mean = s.means(team);
    average_by_threads(team, s, n, mean);
    team.team_barrier();
    multiply_by_threads(team, s, n, mean);
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
    return {v_by_threads(s, type), a_by_threads(s, type), y_by_threads(s, type)};
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using Kernel = AverageMvBlockPerSet<Exec, decltype(zero)>;
      launch_sets<Kernel>(name, exec, call, call.shape[0], 1, threads_for<Exec>(call.shape[1]));
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return means_workspace_bytes(s[0], s[1], size_of(type));
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type) {
    return set_rounding_steps(s[1], s[2], 1, 1);
  }
};
const PortableVariant<AverageMvBlockPerSetVariant> average_mv_block_per_set_registered{__FILE__};

} // namespace ado
