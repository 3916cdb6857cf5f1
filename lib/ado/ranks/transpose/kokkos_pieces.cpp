// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on ranks, kokkos, pieces: b[j][i] = a[i][j], rows of a and b distributed; hosts only
//   mapping   blocks are cut into pieces of 256 KiB, some per thread at a time: transposed into a
//             buffer and sent; what arrives is copied to its columns of b. The rank's own block is
//             transposed directly into b
//   scratch   workspace: the buffers, which stay in cache
//   bytes     reads a once, writes b once; sends each element once, except the rank's own
//   teaches   against `packed`: packed and received data need not go to memory
#include <ado/ranks/transpose/kokkos.hpp>

namespace ado::bench {

struct PiecesOnRanks {
  static constexpr std::string_view algorithm = "transpose", name = "pieces";
  static constexpr std::string_view summary = "pieces of blocks stay in cache from a to b";
  static constexpr TypeSet types = all_types;
  static constexpr bool on_ranks = true;
  template <class Exec>
  static constexpr bool runs_on = detail::runs_on_host<Exec>;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    transpose_on_ranks(Way::automatic, exec, call);
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return rank_transpose_bytes(s, type);
  }
};
const PortableVariant<PiecesOnRanks> pieces_on_ranks_registered{__FILE__};

} // namespace ado::bench
