// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, row_per_vector_atomic: result = sum over i of y[i] * sum over j of a[i][j] * x[j]
//   mapping   as row_per_vector; each thread adds its row's y[i] * dot to the result with an atomic
//   scratch   none, and no workspace
//   bytes     reads a once, x once a row (from cache), y once; updates one number R times
//   needs     any team size that is a multiple of the vector's lanes
//   teaches   against `row_per_vector`: no second kernel and no workspace. The price: R atomics on
//             one address take turns (costly if rows are short), and the last bits of the result
//             differ from run to run, because rows are added as they come
#include <ado/core/bound.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/team_size.hpp>
#include <ado/portable/variant.hpp>
#include <ado/portable/vector_sum.hpp>
#include <ado/yax/accesses.hpp>
#include <ado/yax/kokkos/views.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>

namespace ado::bench {

template <class Exec, class T>
struct YaxRowPerVectorAtomic {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;

  YaxViews<Exec, T> p;
  std::size_t rows_per_team;
  T* result;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t first = team.league_rank() * rows_per_team;
    const std::size_t last = Kokkos::min(first + rows_per_team, p.a.extent(0));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::size_t i) {
      const T dot =
          vector_sum<T>(team, p.a.extent(1), [&](std::size_t j) { return p.a(i, j) * p.x(j); });
      Kokkos::single(Kokkos::PerThread(team), [&] { Kokkos::atomic_add(result, p.y(i) * dot); });
    });
  }
};

struct YaxRowPerVectorAtomicVariant {
  static constexpr std::string_view algorithm = "yax", name = "row_per_vector_atomic";
  static constexpr std::string_view summary = "an atomic a row: their price, and no fixed order";
  static constexpr TypeSet types = real_types;
  static constexpr bool takes_team_size = true;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_warp(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const auto result = view_of<Exec, T>(call, 3);
      Kokkos::deep_copy(exec, result, T(0)); // asynchronous, before the kernel on the same instance
      const std::size_t per_team = std::max(1, team_size<Exec>(call.launch) / vector_lanes<Exec>);
      const YaxRowPerVectorAtomic<Exec, T> kernel{YaxViews<Exec, T>(call), per_team, result.data()};
      Kokkos::parallel_for("ado::yax::rows[row_per_vector_atomic]",
                           teams_as_asked<RegistersFirst>(exec, ceil_div(call.shape[0], per_team),
                                                          kernel, call.launch, vector_lanes<Exec>,
                                                          0, "yax[row_per_vector_atomic]"),
                           kernel);
    });
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type) {
    // A lane's chain with its products, the lanes' tree, the product with y; then one row after
    // another, in whatever order.
    constexpr std::size_t lanes = vector_lanes<Exec>;
    const double row = double(ceil_div(s[1], lanes)) + tree_depth(std::min(s[1], lanes)) + 1;
    return row + double(s[0]);
  }
};
const PortableVariant<YaxRowPerVectorAtomicVariant> yax_row_per_vector_atomic_registered{__FILE__};

} // namespace ado::bench
