// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, row_per_vector_shared: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   as row_per_vector; the lanes of a thread add their parts of its row in scratch, with
//             atomics. One thread of the team weighs the rows and adds them to the result with one
//             atomic
//   scratch   one number a row of the team; no workspace
//   bytes     reads a once, x once a row (from cache), y once; updates one number once a team
//   needs     any team size that is a multiple of the vector's lanes
//   teaches   against `row_per_vector_atomic`: atomics where only the team waits for them, and one
//             in memory for all its rows. But the lanes of a row meet at one address and take
//             turns, where `row_per_vector` needs five shuffles, and two barriers order what
//             shuffles order by themselves. Without the first, the write of zero by the team's
//             first thread races with the additions of the others: a part that is added too early
//             is overwritten, or added to what the team before left there. Without the second, the
//             reads of the weighing thread race with them. As with all such atomics, the last bits
//             differ from run to run
#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/team_size.hpp>
#include <ado/portable/variant.hpp>
#include <ado/portable/vector_sum.hpp>
#include <ado/yax/accesses.hpp>
#include <ado/yax/kokkos/row_per_vector.hpp>
#include <ado/yax/kokkos/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>

namespace ado::bench {

template <class Exec, class T>
struct YaxRowPerVectorShared {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Sums = Kokkos::View<T*, typename Exec::scratch_memory_space,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  YaxViews<Exec, T> p;
  std::size_t rows_per_team;
  T* result;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    constexpr std::size_t lanes = vector_lanes<Exec>;
    const Sums of_row(team.team_scratch(0), rows_per_team);
    const std::size_t first = team.league_rank() * rows_per_team;
    const std::size_t rows = Kokkos::min(rows_per_team, p.a.extent(0) - first);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, rows),
                         [&](std::size_t r) { of_row(r) = 0; });
    team.team_barrier(); // all sums are zero before anybody adds to one
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](std::size_t r) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, lanes), [&](int lane) {
        T part = 0;
        add_lane_terms<T, lanes>(
            lane, p.a.extent(1), [&](std::size_t j) { return p.a(first + r, j) * p.x(j); }, part);
        Kokkos::atomic_add(&of_row(r), part);
      });
    });
    team.team_barrier(); // all parts are there
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      T sum = 0;
      for (std::size_t r = 0; r < rows; ++r)
        sum += p.y(first + r) * of_row(r);
      Kokkos::atomic_add(result, sum);
    });
  }
};

struct YaxRowPerVectorSharedVariant {
  static constexpr std::string_view algorithm = "yax", name = "row_per_vector_shared";
  static constexpr std::string_view summary = "atomics in scratch, and one in memory a team";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_warp(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      using Kernel = YaxRowPerVectorShared<Exec, T>;
      const auto result = view_of<Exec, T>(call, 3);
      Kokkos::deep_copy(exec, result, T(0)); // asynchronous, before the kernel on the same instance
      const std::size_t per_team = yax_rows_per_team<Exec>(call.launch);
      const Kernel kernel{YaxViews<Exec, T>(call), per_team, result.data()};
      Kokkos::parallel_for("ado::yax[row_per_vector_shared]",
                           teams_as_asked<RegistersFirst>(exec, ceil_div(call.shape[0], per_team),
                                                          kernel, call.launch, vector_lanes<Exec>,
                                                          Kernel::Sums::shmem_size(per_team),
                                                          "yax[row_per_vector_shared]"),
                           kernel);
    });
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type, const Launch& launch) {
    // A lane's chain with its products, and the product with y; the lanes, the rows and the teams,
    // in whatever order, the first of each added to 0.
    constexpr std::size_t lanes = vector_lanes<Exec>;
    const std::size_t per_team = yax_rows_per_team<Exec>(launch);
    const double added = double(ceil_div(s[1], lanes)) + double(std::min(s[1], lanes)) +
                         double(std::min(s[0], per_team)) + double(ceil_div(s[0], per_team));
    return added + 1 - (s[1] > 0) - 2 * (s[0] > 0);
  }
};
const PortableVariant<YaxRowPerVectorSharedVariant> yax_row_per_vector_shared_registered{__FILE__};

} // namespace ado::bench
