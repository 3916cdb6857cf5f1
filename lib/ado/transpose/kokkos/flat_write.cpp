// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, kokkos, flat_write: b[j][i] = a[i][j]
//   mapping   one work item of an MDRangePolicy per element, i fastest
//   scratch   none
//   bytes     writes b once; each read of a takes a cache line of its own, so on a GPU 32 bytes are
//             read for each element, unless neighbours find them still in a cache
//   needs     nothing
//   teaches   against `flat`: the other side is coalesced, and the reads pay the price. A read may
//             find its cache line already there, while each scattered write has to go out. But a
//             thread has to wait for a read, and no thread waits for a write
#include <ado/core/elements.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/variant.hpp>
#include <ado/transpose/accesses.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class A, class B>
struct TransposeFlatWrite {
  A a;
  B b;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j) const { b(j, i) = a(i, j); }
};

struct TransposeFlatWriteVariant {
  static constexpr std::string_view algorithm = "transpose", name = "flat_write";
  static constexpr std::string_view summary =
      "one work item an element: scattered reads, coalesced writes";
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::flat_write(s, type, 8);
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
      // The tiles of `flat`, along b: the warps write 32 elements of a row of b.
      Kokkos::parallel_for("ado::transpose[flat_write]",
                           Range(exec, {0, 0}, {rows, columns}, {32, 2}),
                           TransposeFlatWrite<decltype(a), decltype(b)>{a, b});
    });
  }
};
const PortableVariant<TransposeFlatWriteVariant> transpose_flat_write_registered{__FILE__};

} // namespace ado::bench
