// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on ranks, kokkos, packed: b[j][i] = a[i][j], rows of a and b distributed
//   mapping   `tuned` transposes the rank's rows, which makes the block for each other rank
//             contiguous. host: each rank sends these blocks, the next rank first; what arrives is
//             copied to its columns of b at once. device: a copy engine brings a block to its
//             columns of the other rank's b
//   scratch   workspace: a copy of the rank's rows of a, and on a host one of its rows of b
//   bytes     reads a twice and writes b twice, apart from messages; sends each element once,
//             except the rank's own
//   teaches   against `datatypes`: the local transpose is the packing, so MPI moves only long
//             blocks
#include <ado/ranks/transpose/kokkos.hpp>

namespace ado::bench {

struct PackedOnRanks {
  static constexpr std::string_view algorithm = "transpose", name = "packed";
  static constexpr std::string_view summary = "the local transpose packs, blocks are sent whole";
  static constexpr TypeSet types = all_types;
  static constexpr bool on_ranks = true;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    transpose_on_ranks(on_gpu<Exec> ? Way::packed : Way::staged, exec, call);
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return rank_transpose_bytes(s, type);
  }
};
const PortableVariant<PackedOnRanks> packed_on_ranks_registered{__FILE__};

} // namespace ado::bench
