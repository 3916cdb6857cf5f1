// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on ranks, kokkos, packed: b[j][i] = a[i][j], rows of a and of b dealt out
//   mapping   each rank transposes its rows by `tuned` and has in one piece what each other rank needs. host: each sends
//             such a piece to each other one, the next rank first; what comes is copied into its columns of b at once.
//             device: a copy engine brings it into its columns of the other's b
//   scratch   workspace: a copy of the rank's rows of a, and on a host one of its rows of b
//   bytes     reads a twice and writes b twice, beside what is sent; each element but the rank's own is sent once
//   teaches   against `datatypes`: the local transpose is the packing, so that MPI moves long pieces only
#include <ado/ranks/transpose/kokkos.hpp>

namespace ado {

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

} // namespace ado
