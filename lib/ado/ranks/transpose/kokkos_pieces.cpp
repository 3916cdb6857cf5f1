// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on ranks, kokkos, pieces: b[j][i] = a[i][j], rows of a and of b dealt out; of hosts
//   mapping   blocks in pieces of 256 KiB, some for each thread at a time: turned into a buffer, sent, and what has come
//             is copied into its columns of b; the rank's own block is turned in place
//   scratch   workspace: the buffers, which stay in cache
//   bytes     reads a once, writes b once; each element but the rank's own is sent once
//   teaches   against `packed`: what is packed and what has come need not see memory
#include <ado/ranks/transpose/kokkos.hpp>

namespace ado {

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

} // namespace ado
