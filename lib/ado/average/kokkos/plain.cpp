// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, kokkos, plain: mean[n][l] = (sum over m of v[n][l][m]) / M
//   mapping   team: set n; thread: a vector of the set; its lanes share m. Kokkos chooses how many
//             threads, of 32 lanes
//   scratch   none
//   bytes     reads v once, writes mean once
//   needs     nothing
//   teaches   three nested ranges, as Kokkos' Programming Guide writes them. Few sets leave most of
//             a machine idle, and a lane has few, narrow loads in flight: `team` mends both
#include <ado/average/accesses.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>

namespace ado::bench {

template <class Exec, class T>
struct AveragePlain {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  RowMajor<Exec, const T***> v;
  RowMajor<Exec, T**> mean;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int n = team.league_rank();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, v.extent(1)), [&](std::size_t l) {
      T sum = 0;
      Kokkos::parallel_reduce(
          Kokkos::ThreadVectorRange(team, v.extent(2)),
          [&](std::size_t m, T& of_lane) { of_lane += v(n, l, m); }, sum);
      Kokkos::single(Kokkos::PerThread(team), [&] { mean(n, l) = sum / T(v.extent(2)); });
    });
  }
};

struct AveragePlainVariant {
  static constexpr std::string_view algorithm = "average", name = "plain";
  static constexpr std::string_view summary = "three nested ranges, as Kokkos' guide teaches them";
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return average_accesses::vector_by_lanes(s, type, device_vector_lanes);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      Kokkos::parallel_for(
          "ado::average[plain]",
          Kokkos::TeamPolicy<Exec>(exec, league_size(call.shape[0]), Kokkos::AUTO, 32),
          AveragePlain<Exec, T>{view_of<Exec, const T***>(call, 0), view_of<Exec, T**>(call, 1)});
    });
  }
  static double rounding_steps(const Shape& s, Type) {
    return std::max(1., double(s[2])); // additions in any order, and a division
  }
};
const PortableVariant<AveragePlainVariant> average_plain_registered{__FILE__};

} // namespace ado::bench
