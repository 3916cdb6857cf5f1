// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// vector_add, kokkos, tuned: c[i] = a[i] + b[i]
//   mapping   device: 256 threads take 1024 packs of 16 bytes, four each, and load all four before
//             they store the first sum; they take single elements if the vectors are not aligned
//             alike, and need no team. host: a team is one thread and takes a contiguous share
//             (detail/host.hpp)
//   scratch   none
//   bytes     reads a and b once, writes c once, bypassing the caches of a host if c is large
//   needs     nothing; packs where a, b and c are equally far from a boundary of 16 bytes
//   teaches   against `wide`: vectors that all start equally far off a boundary move in packs too,
//             after the few elements before the boundary. A lane has eight loads in flight before
//             it waits, and a host does not read what it is about to overwrite
#include <ado/portable/variant.hpp>
#include <ado/vector_add/variant.hpp>
#include <ado/vector_add/vector_add.hpp>

namespace ado::bench {

struct VectorAddTunedVariant : VectorAddByPacks {
  static constexpr std::string_view name = "tuned";
  static constexpr std::string_view summary = "packs from the first boundary on, all loads first";

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_addend(call.type, [&](auto zero) {
      using T = decltype(zero);
      vector_add(exec, view_of<Exec, const T*>(call, 0), view_of<Exec, const T*>(call, 1),
                 view_of<Exec, T*>(call, 2));
    });
  }
};
const PortableVariant<VectorAddTunedVariant> vector_add_tuned_registered{__FILE__};

} // namespace ado::bench
