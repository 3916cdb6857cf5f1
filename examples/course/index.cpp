// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, exercise_index: result = sum over i of y[i] * sum over j of a[i][j] * x[j]. Lesson 7
//   mapping   one work item per row, added up by parallel_reduce
//   bytes     reads a once, in principle
//   teaches   one swapped index computes with the transpose of a. A symmetric matrix hides that,
//             any other shows it
// Your part: find the swap. The matrix may have more columns than rows, or fewer; both loops stop
// where the matrix ends.
//   hint 1    write down which element of a belongs to y[i] and x[j]
//   hint 2    read a symmetric matrix from a file, as the lesson shows. On which data is it still
//             WRONG, and why?
//   hint 3    then compare the loop bound with the extents of a
#include <ado/portable/variant.hpp>
#include <ado/yax/kokkos/views.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct ExerciseIndex {
  YaxViews<Exec, T> p;

  KOKKOS_FUNCTION void operator()(std::size_t i, T& sum) const {
    T dot = 0;
    // yours: begin
    if (i >= p.a.extent(1)) return;
    for (std::size_t j = 0; j < Kokkos::min(p.a.extent(0), p.a.extent(1)); ++j)
      dot += p.a(j, i) * p.x(j);
    // yours: end
    sum += p.y(i) * dot;
  }
};

struct ExerciseIndexVariant {
  static constexpr std::string_view algorithm = "yax", name = "exercise_index";
  static constexpr std::string_view summary = "lesson 7: what a symmetric matrix hides";
  static constexpr TypeSet types = real_types;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
      Kokkos::parallel_reduce("ado::yax[exercise_index]", Range(exec, 0, call.shape[0]),
                              ExerciseIndex<Exec, T>{YaxViews<Exec, T>(call)},
                              view_of<Exec, T>(call, 3));
    });
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type) {
    return double(s[0]) + double(s[1]) +
           1; // a row's products and sums, times y, the rows in any order
  }
};
const PortableVariant<ExerciseIndexVariant> exercise_index{__FILE__};

} // namespace ado::bench
