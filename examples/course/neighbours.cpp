// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, kokkos, exercise_neighbours: c[i] = a[i] + b[i]. Lesson 2
//   mapping   a work item adds one element. Items are counted down the columns of a table that is
//             32 elements wide
//   bytes     reads a and b once, writes c once; the question is how many bytes really move
//   teaches   the result is right but the kernel is slow: neighbouring items lie 32 elements apart
// Your part: let neighbouring work items touch neighbouring elements.
//   hint 1    which elements do items 0 and 1 touch? How many bytes apart are they, and how long is
//             a cache line?
//   hint 2    on a GPU items 0 to 31 are a warp. On a CPU a thread takes them one after the other
//   hint 3    the cure is shorter than the disease: no table at all
#include <ado/portable/variant.hpp>
#include <ado/vector_add/kokkos/views.hpp>
#include <ado/vector_add/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct ExerciseNeighbours {
  VectorAddViews<Exec, T> v;

  KOKKOS_FUNCTION void operator()(std::size_t item) const {
    // yours: begin
    const std::size_t rows = (v.c.extent(0) + 31) / 32;
    const std::size_t i = item % rows * 32 + item / rows;
    // yours: end
    if (i < v.c.extent(0)) v.c(i) = v.a(i) + v.b(i);
  }
};

struct ExerciseNeighboursVariant : VectorAddVariant {
  static constexpr std::string_view name = "exercise_neighbours";
  static constexpr std::string_view summary = "lesson 2: put neighbours side by side";

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_addend(call.type, [&](auto zero) {
      using Kernel = ExerciseNeighbours<Exec, decltype(zero)>;
      using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
      Kokkos::parallel_for("ado::vector_add[exercise_neighbours]",
                           Range(exec, 0, round_up(call.shape[0], 32)),
                           Kernel{VectorAddViews<Exec, decltype(zero)>(call)});
    });
  }
};
const PortableVariant<ExerciseNeighboursVariant> exercise_neighbours{__FILE__};

} // namespace ado::bench
