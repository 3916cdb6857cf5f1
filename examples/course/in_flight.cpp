// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, kokkos, exercise_in_flight: c[i] = a[i] + b[i]. Lesson 3
//   mapping   a work item adds four elements that lie `items` apart, so that neighbouring items
//             stay side by side
//   bytes     reads a and b once, writes c once
//   teaches   the order of your loads and stores decides how many loads a thread has in flight
// Your part: let each item load all eight numbers before it stores the first.
//   hint 1    for all the compiler knows, c may be the same memory as a or b. So no load moves up
//             past a store
//   hint 2    small arrays of constant size, T of_a[4], live in registers when the loops over them
//             are unrolled
//   hint 3    two loops over k: one loads everything, one adds and stores. The last items lie
//             beyond the end, so both loops check i, and the arrays begin as zeros: T of_a[each]{}
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>
#include <ado/vector_add/kokkos/views.hpp>
#include <ado/vector_add/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct ExerciseInFlight {
  static constexpr int each = 4; ///< elements per item
  VectorAddViews<Exec, T> v;
  std::size_t items;

  KOKKOS_FUNCTION void operator()(std::size_t item) const {
    // yours: begin
    ADO_UNROLL
    for (int k = 0; k < each; ++k) {
      const std::size_t i = item + std::size_t(k) * items;
      if (i < v.c.extent(0)) v.c(i) = v.a(i) + v.b(i);
    }
    // yours: end
  }
};

struct ExerciseInFlightVariant : VectorAddByElements {
  static constexpr std::string_view name = "exercise_in_flight";
  static constexpr std::string_view summary = "lesson 3: all loads before the first store";

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_addend(call.type, [&](auto zero) {
      using Kernel = ExerciseInFlight<Exec, decltype(zero)>;
      using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
      const std::size_t items = ceil_div(call.shape[0], std::size_t{Kernel::each});
      Kokkos::parallel_for("ado::vector_add[exercise_in_flight]", Range(exec, 0, items),
                           Kernel{VectorAddViews<Exec, decltype(zero)>(call), items});
    });
  }
};
const PortableVariant<ExerciseInFlightVariant> exercise_in_flight{__FILE__};

} // namespace ado::bench
