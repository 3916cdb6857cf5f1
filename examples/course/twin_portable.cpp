// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, kokkos, exercise_twin: c[i] = a[i] + b[i]. Lesson 12
//   mapping   one work item per element
//   bytes     reads a and b once, writes c once
//   teaches   this side is done; its hand-written twin is yours, in openmp/twin.cpp
#include <ado/portable/variant.hpp>
#include <ado/vector_add/kokkos/views.hpp>
#include <ado/vector_add/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct ExerciseTwin {
  VectorAddViews<Exec, T> v;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { v.c(i) = v.a(i) + v.b(i); }
};

struct ExerciseTwinVariant : VectorAddByElements {
  static constexpr std::string_view name = "exercise_twin";
  static constexpr std::string_view summary = "lesson 12: the portable side, done";

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
      Kokkos::parallel_for("ado::vector_add[exercise_twin]", Range(exec, 0, call.shape[0]),
                           ExerciseTwin<Exec, T>{VectorAddViews<Exec, T>(call)});
    });
  }
};
const PortableVariant<ExerciseTwinVariant> exercise_twin{__FILE__};

} // namespace ado::bench
