// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, kokkos, exercise_lanes: mean[n][l] = (sum over m of v[n][l][m]) / M. Lesson 6
//   mapping   team: some vectors; thread: a vector; its lanes all read the same elements, one after
//             the other
//   scratch   none
//   bytes     reads v once, writes mean once
//   teaches   a sum belongs to a warp, not to a thread: neighbouring lanes take neighbouring m, and
//             a reduction ends it
// Your part: share the sum among the lanes of the thread.
//   hint 1    Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(team, v.count), lambda, sum), where
//             lambda is [&](std::size_t m, T& partial) { ... }
//   hint 2    the lambda adds to its second argument. Each lane has its own, and Kokkos adds them
//             up
//   hint 3    afterwards all lanes know the sum, and one of them writes it:
//             Kokkos::single(Kokkos::PerThread(team), ...)
#include <ado/average/call_vectors.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T, class Mean>
struct ExerciseLanes {
  static constexpr std::size_t vectors_of_a_team = team_threads<Exec> / vector_lanes<Exec>;
  VectorsRef<T> v;
  Mean mean;

  KOKKOS_FUNCTION void operator()(const typename Teams<Exec>::member_type& team) const {
    const std::size_t first = std::size_t(team.league_rank()) * vectors_of_a_team;
    const std::size_t last = Kokkos::min(first + vectors_of_a_team, v.sets * v.length);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, first, last), [&](std::size_t row) {
      const std::size_t n = row / v.length, l = row % v.length;
      const T* const vector = v.vector(n, l);
      // yours: begin
      T sum = 0;
      for (std::size_t m = 0; m < v.count; ++m)
        sum += vector[m];
      mean(n, l) = sum / static_cast<T>(v.count);
      // yours: end
    });
  }
};

struct ExerciseLanesVariant {
  static constexpr std::string_view algorithm = "average", name = "exercise_lanes";
  static constexpr std::string_view summary = "lesson 6: a sum for all lanes of a warp";
  static constexpr TypeSet types = real_types;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const VectorsRef<T> v = vectors_of<T>(call);
      const auto mean = view_of<Exec, T**>(call, 1);
      using Kernel = ExerciseLanes<Exec, T, decltype(mean)>;
      const std::size_t league = ceil_div(v.sets * v.length, Kernel::vectors_of_a_team);
      Kokkos::parallel_for("ado::average[exercise_lanes]", teams(exec, league, vector_lanes<Exec>),
                           Kernel{v, mean});
    });
  }
  template <class Exec>
  static double rounding_steps(const Shape& shape, Type) {
    return double(shape[2]) + 1; // at most: a chain of M additions, one division
  }
};
const PortableVariant<ExerciseLanesVariant> exercise_lanes{__FILE__};

} // namespace ado::bench
