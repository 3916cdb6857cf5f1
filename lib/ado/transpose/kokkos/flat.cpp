// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, kokkos, flat: b[j][i] = a[i][j]
//   mapping   one work item of an MDRangePolicy per element, j fastest
//   scratch   none
//   bytes     reads a once; each write of b lands in a cache line of its own, so on a GPU 32 bytes
//             are written for each element
//   needs     nothing
//   teaches   coalesced reads, scattered writes: without a place to transpose a tile in, one side
//             of a transpose is always uncoalesced. `tuned` has such a place
#include <ado/core/elements.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>
#include <ado/transpose/accesses.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class A, class B>
struct TransposeFlat {
  A a;
  B b;
  KOKKOS_FUNCTION void operator()(std::int64_t j, std::int64_t i) const { b(j, i) = a(i, j); }
};

struct TransposeFlatVariant {
  static constexpr std::string_view algorithm = "transpose", name = "flat";
  static constexpr std::string_view summary =
      "one work item an element: coalesced reads, scattered writes";
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::flat(s, type, 8);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    if (call.shape[0] == 0 || call.shape[1] == 0) return;
    with_element(size_of(call.type), [&](auto element) {
      using E = decltype(element);
      using Range =
          Kokkos::MDRangePolicy<Exec, Kokkos::IndexType<std::int64_t>,
                                Kokkos::Rank<2, Kokkos::Iterate::Left, Kokkos::Iterate::Left>>;
      const auto a = view_of<Exec, const E**>(call, 0);
      const auto b = view_of<Exec, E**>(call, 1);
      const std::int64_t rows = a.extent(0), columns = a.extent(1);
      // On a GPU the first index is threadIdx.x, whatever the direction: tiles of 32 x 2 are blocks
      // whose warps read 32 elements of a row of a. Kokkos' own default for CUDA is 16 x 2.
      Kokkos::parallel_for("ado::transpose[flat]", Range(exec, {0, 0}, {columns, rows}, {32, 2}),
                           TransposeFlat<decltype(a), decltype(b)>{a, b});
    });
  }
};
const PortableVariant<TransposeFlatVariant> transpose_flat_registered{__FILE__};

} // namespace ado::bench
