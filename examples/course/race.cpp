// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, exercise_race: result = sum over i of y[i] * sum over j of a[i][j] * x[j]. Lesson 7
//   mapping   one work item per row; each adds its products to the one result
//   bytes     reads a once, updates one number for each element
//   teaches   += reads, adds and writes. Another thread may do the same in between, and then one
//             sum is lost
// Your part: make it right. Then make it cheap: how often does a row have to touch the result?
//   hint 1    with one thread (--backend openmp:1) it is right: that is typical of a race
//   hint 2    Kokkos::atomic_add(&result(), value) adds in one step that no other thread can
//             interrupt
//   hint 3    a row may add up its own products in a variable of its own, and touch the result once
//   hint 4    to compare: `row_per_thread` needs no atomic at all. It launches a parallel_reduce,
//             outside this gap, which gives each thread a sum of its own
#include <ado/portable/variant.hpp>
#include <ado/yax/kokkos/views.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct ExerciseRace {
  YaxViews<Exec, T> p;
  RowMajor<Exec, T> result;

  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    // yours: begin
    for (std::size_t j = 0; j < p.a.extent(1); ++j)
      result() += p.y(i) * (p.a(i, j) * p.x(j));
    // yours: end
  }
};

struct ExerciseRaceVariant {
  static constexpr std::string_view algorithm = "yax", name = "exercise_race";
  static constexpr std::string_view summary = "lesson 7: all threads add to one number";
  static constexpr TypeSet types = real_types;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
      const auto result = view_of<Exec, T>(call, 3);
      Kokkos::deep_copy(exec, result, T(0)); // before the kernel, on the same instance
      Kokkos::parallel_for("ado::yax[exercise_race]", Range(exec, 0, call.shape[0]),
                           ExerciseRace<Exec, T>{YaxViews<Exec, T>(call), result});
    });
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type) {
    return double(s[0]) * double(s[1]) + 2; // every product added to the one result, in any order
  }
};
const PortableVariant<ExerciseRaceVariant> exercise_race{__FILE__};

} // namespace ado::bench
