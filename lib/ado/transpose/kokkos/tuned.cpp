// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, kokkos, tuned: b[j][i] = a[i][j]
//   mapping   league: tiles of a in the order of b. device: 256 or 512 threads a tile; each
//             transposes blocks of 16-byte packs in registers (detail/device.hpp). Small matrices
//             have no teams: a thread moves two elements, a warp 8 rows (detail/device_direct.hpp).
//             host: a team is one thread, and transposes blocks in SIMD registers: a strip of a
//             large matrix (detail/host.hpp), a band of others (detail/host_cached.hpp)
//   scratch   one tile; none for small matrices on a device
//   bytes     reads a once, writes b once
//   needs     nothing; a device moves 16 bytes at a time if rows of both matrices start on 16-byte
//             boundaries
//   teaches   against `flat`: through scratch, reads and writes are both whole cache lines
#include <ado/portable/variant.hpp>
#include <ado/transpose/transpose.hpp>

namespace ado::bench {

struct TransposeTunedVariant {
  static constexpr std::string_view algorithm = "transpose", name = "tuned";
  static constexpr std::string_view summary = "tiles through scratch, wide on both sides";
  static constexpr TypeSet types = all_types;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_element(size_of(call.type), [&](auto element) {
      using E = decltype(element);
      transpose(exec, view_of<Exec, const E**>(call, 0), view_of<Exec, E**>(call, 1));
    });
  }
};
const PortableVariant<TransposeTunedVariant> transpose_tuned_registered{__FILE__};

} // namespace ado::bench
