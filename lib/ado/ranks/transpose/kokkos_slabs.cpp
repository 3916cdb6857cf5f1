// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on ranks, kokkos, slabs: b[j][i] = a[i][j], rows of a and b distributed; GPUs of one
// host
//   mapping   columns of a are cut into slabs: `tuned` transposes one into a buffer while a copy
//             engine brings the one before to the other rank; a third stream transposes the rank's
//             own block
//   scratch   workspace: three slabs
//   bytes     reads a once, writes b once; what crosses the link is written and read once more
//   needs     GPUs that reach each other's memory
//   teaches   against `packed`: the link hides all packing but the first slab's
#include <ado/ranks/transpose/kokkos.hpp>

namespace ado::bench {

struct SlabsOnRanks {
  static constexpr std::string_view algorithm = "transpose", name = "slabs";
  static constexpr std::string_view summary =
      "packs a slab while a copy engine sends the one before";
  static constexpr TypeSet types = all_types;
  static constexpr bool on_ranks = true;
  template <class Exec>
  static constexpr bool runs_on = on_gpu<Exec>;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    transpose_on_ranks(Way::slabs, exec, call);
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return rank_transpose_bytes(s, type);
  }
};
const PortableVariant<SlabsOnRanks> slabs_on_ranks_registered{__FILE__};

} // namespace ado::bench
