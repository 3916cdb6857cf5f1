// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, kokkos, vector_mv: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m])
//   mapping   team: set n; thread: a vector of the set, its lanes side by side in m; then a row of
//             the product, its lanes side by side in j
//   scratch   the L means of the set; in the workspace where they are more than 32 KiB
//   bytes     reads v once, and a once per set from L2, both in whole sectors
//   needs     nothing
//   teaches   against coalesced: the product reads in whole sectors too, because a thread's lanes
//             share a row. The next limits: a is read again for each set, and lanes have only few,
//             small loads in flight; split_gemm reads a once for many sets
#include <ado/average_mv/accesses.hpp>
#include <ado/average_mv/kokkos/set_teams.hpp>
#include <ado/portable/variant.hpp>
#include <ado/portable/vector_sum.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct AverageMvVectorMv {
  using Member = typename SetArrays<Exec, T>::Member;
  SetArrays<Exec, T> s;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t n = team.league_rank(), length = s.v.length;
    T* const mean = s.means(team);
    average_by_lanes(team, s, n, mean);
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, length), [&](std::size_t i) {
      const T sum = vector_sum<T>(team, length, [&](std::size_t j) { return s.a(i, j) * mean[j]; });
      Kokkos::single(Kokkos::PerThread(team), [&] { s.y(i, n) = sum; });
    });
  }
};

struct AverageMvVectorMvVariant {
  static constexpr std::string_view algorithm = "average_mv", name = "vector_mv";
  static constexpr std::string_view summary = "a team a set, vector lanes in m and in the product";
  static constexpr std::array cures{Cause::uncoalesced};
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return average_mv_accesses::sets_by_lanes(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using Kernel = AverageMvVectorMv<Exec, decltype(zero)>;
      launch_sets<Kernel>(name, exec, call, call.shape[0], vector_lanes<Exec>, team_threads<Exec>);
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return means_workspace_bytes(s[0], s[1], size_of(type));
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type) {
    return set_rounding_steps(s[1], s[2], vector_lanes<Exec>, vector_lanes<Exec>);
  }
};
const PortableVariant<AverageMvVectorMvVariant> average_mv_vector_mv_registered{__FILE__};

} // namespace ado::bench
