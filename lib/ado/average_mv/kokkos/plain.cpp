// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, kokkos, plain: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m])
//   mapping   team: set n; thread: a vector of the set, its lanes share m; then a row of a, its
//             lanes share j. Kokkos chooses how many threads, of 32 lanes
//   scratch   the L means of the set, of level 1 where they are many
//   bytes     reads v once, and a once per set from a cache
//   needs     nothing
//   teaches   nested ranges and team scratch, as Kokkos' Programming Guide writes them. a is read
//             again for each set: `team` reads it once for many
#include <ado/average_mv/accesses.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct AverageMvPlain {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Means = Kokkos::View<T*, typename Exec::scratch_memory_space, Kokkos::MemoryUnmanaged>;

  RowMajor<Exec, const T***> v;
  RowMajor<Exec, const T**> a;
  RowMajor<Exec, T**> y;
  int level; ///< of scratch

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int n = team.league_rank();
    const std::size_t length = v.extent(1), count = v.extent(2);
    const Means mean(team.team_scratch(level), length);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, length), [&](std::size_t l) {
      T sum = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, count),
          [&](std::size_t m, T& of_lane) { of_lane += v(n, l, m); }, sum);
      Kokkos::single(Kokkos::PerThread(team), [&] { mean(l) = sum / T(count); });
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, length), [&](std::size_t i) {
      T sum = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, length),
          [&](std::size_t j, T& of_lane) { of_lane += a(i, j) * mean(j); }, sum);
      Kokkos::single(Kokkos::PerThread(team), [&] { y(i, n) = sum; });
    });
  }
};

struct AverageMvPlainVariant {
  static constexpr std::string_view algorithm = "average_mv", name = "plain";
  static constexpr std::string_view summary =
      "nested ranges and scratch, as Kokkos' guide has them";
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return average_mv_accesses::sets_by_lanes(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      using Kernel = AverageMvPlain<Exec, T>;
      constexpr std::size_t fits_level_0 = std::size_t{32} * 1024;
      const std::size_t bytes = Kernel::Means::shmem_size(call.shape[1]);
      const int level = bytes <= fits_level_0 ? 0 : 1;
      Kokkos::TeamPolicy<Exec> policy(exec, league_size(call.shape[0]), Kokkos::AUTO, 32);
      set_scratch(policy, level, bytes);
      Kokkos::parallel_for("ado::average_mv[plain]", policy,
                           Kernel{view_of<Exec, const T***>(call, 0),
                                  view_of<Exec, const T**>(call, 1), view_of<Exec, T**>(call, 2),
                                  level});
    });
  }
  static double rounding_steps(const Shape& s, Type) {
    return double(s[2]) + double(s[1]); // of any order, with a division and a product
  }
};
const PortableVariant<AverageMvPlainVariant> average_mv_plain_registered{__FILE__};

} // namespace ado::bench
