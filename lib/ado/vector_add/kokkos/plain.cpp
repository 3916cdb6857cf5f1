// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, kokkos, plain: c[i] = a[i] + b[i]
//   mapping   one work item of a RangePolicy per element
//   scratch   none
//   bytes     reads a and b once, writes c once; a CPU reads c too before it is overwritten
//   needs     nothing
//   teaches   the first loop of Kokkos' Programming Guide. A load brings one element, and a thread
//             has two in flight: `team` moves packs, a few of them at once
#include <ado/portable/variant.hpp>
#include <ado/vector_add/kokkos/views.hpp>
#include <ado/vector_add/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class Exec, class T>
struct VectorAddPlain {
  VectorAddViews<Exec, T> v;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { v.c(i) = v.a(i) + v.b(i); }
};

struct VectorAddPlainVariant : VectorAddByElements {
  static constexpr std::string_view name = "plain";
  static constexpr std::string_view summary = "one work item an element, as Kokkos' guide has it";

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_addend(call.type, [&](auto zero) {
      using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
      Kokkos::parallel_for(
          "ado::vector_add[plain]", Range(exec, 0, call.shape[0]),
          VectorAddPlain<Exec, decltype(zero)>{VectorAddViews<Exec, decltype(zero)>(call)});
    });
  }
};
const PortableVariant<VectorAddPlainVariant> vector_add_plain_registered{__FILE__};

} // namespace ado::bench
