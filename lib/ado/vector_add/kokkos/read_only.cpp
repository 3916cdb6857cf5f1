// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, kokkos, read_only: c[i] = a[i] + b[i]
//   mapping   as `several`; a and b are Views with MemoryTraits<RandomAccess>
//   scratch   none
//   bytes     reads a and b once, writes c once
//   needs     that nothing writes to a or b while the kernel runs; up to 2^24 teams
//   teaches   against `several`: on an NVIDIA GPU the trait asks for the read-only path, __ldg.
//             That was once a cache of its own (the texture cache). Since Volta it is the same L1
//             as for every load, so there is no reuse to gain. What remains is a promise: no store
//             of this kernel changes a or b, so the compiler may load the next elements before it
//             stores a sum. The CUDA twin shows that. Of Kokkos' own Views only the old ones keep
//             the promise. Those on top of mdspan (4.7.00, and from 5.0 on) ignore the trait, and
//             with them this rung is the same as `several`. So it is on other backends
#include <ado/portable/variant.hpp>
#include <ado/vector_add/kokkos/in_turn.hpp>
#include <ado/vector_add/kokkos/views.hpp>
#include <ado/vector_add/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

struct VectorAddReadOnlyVariant : VectorAddByElements {
  static constexpr std::string_view name = "read_only";
  static constexpr std::string_view summary =
      "the same with RandomAccess Views: loads first, if Kokkos lets them";
  static constexpr bool takes_league_size = true;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      using ReadOnly = Kokkos::View<const T*, typename Exec::memory_space,
                                    Kokkos::MemoryTraits<Kokkos::Unmanaged | Kokkos::RandomAccess>>;
      const VectorAddViews<Exec, T> v(call);
      vector_add_by_turns("ado::vector_add[read_only]", exec, ReadOnly(v.a), ReadOnly(v.b), v.c,
                          call.launch.league_size);
    });
  }
};
const PortableVariant<VectorAddReadOnlyVariant> vector_add_read_only_registered{__FILE__};

} // namespace ado::bench
