// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, kokkos, exercise_teams: mean[n][l] = (sum over m of v[n][l][m]) / M. Lesson 5
//   mapping   one team does all vectors, its threads take them in turn
//   scratch   none
//   bytes     reads v once, writes mean once
//   teaches   a league of one team runs on one multiprocessor of a GPU, or on one core of a CPU
// Your part: launch as many teams as there are sets, each with its own set.
//   hint 1    league() says how many teams there are. v.sets is the number of sets
//   hint 2    in the kernel team.league_rank() says which team you are: that is the set n
//   hint 3    so one loop disappears, and the threads of the team take the l of its set
#include <ado/average/call_vectors.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T, class Mean>
struct ExerciseTeams {
  VectorsRef<T> v;
  Mean mean;

  KOKKOS_FUNCTION void average(std::size_t n, std::size_t l) const {
    const T* const vector = v.vector(n, l);
    T sum = 0;
    for (std::size_t m = 0; m < v.count; ++m)
      sum += vector[m];
    mean(n, l) = sum / static_cast<T>(v.count);
  }
  // yours: begin
  static std::size_t league(const VectorsRef<T>&) { return 1; }
  KOKKOS_FUNCTION void operator()(const typename Teams<Exec>::member_type& team) const {
    for (std::size_t n = 0; n < v.sets; ++n)
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, v.length),
                           [&](std::size_t l) { average(n, l); });
  }
  // yours: end
};

struct ExerciseTeamsVariant {
  static constexpr std::string_view algorithm = "average", name = "exercise_teams";
  static constexpr std::string_view summary = "lesson 5: a team a set instead of one for all";
  static constexpr TypeSet types = real_types;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const VectorsRef<T> v = vectors_of<T>(call);
      const auto mean = view_of<Exec, T**>(call, 1);
      using Kernel = ExerciseTeams<Exec, T, decltype(mean)>;
      Kokkos::parallel_for("ado::average[exercise_teams]", teams(exec, Kernel::league(v)),
                           Kernel{v, mean});
    });
  }
  template <class Exec>
  static double rounding_steps(const Shape& shape, Type) {
    return double(shape[2]) + 1; // a chain of M additions, one division
  }
};
const PortableVariant<ExerciseTeamsVariant> exercise_teams{__FILE__};

} // namespace ado::bench
