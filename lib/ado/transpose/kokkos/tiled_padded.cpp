// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, kokkos, tiled_padded: b[j][i] = a[i][j]
//   mapping   as `tiled`: team = a tile of 32 x 32 elements, in the order in which tiles lie in b;
//             thread = rows of the tile, first of a, then of b; lane = neighbouring elements
//   scratch   the tile, 32 x 33 elements a team
//   bytes     reads a once, writes b once
//   needs     nothing
//   teaches   against `tiled`: with one element of padding per row, the elements of a column lie in
//             different banks. 4-byte elements lie in banks 0, 1, 2, ...; those of 8 and 16 bytes
//             in every 2nd and 4th, as wide as they are (here 16 bytes move as two halves, which
//             conflict in pairs). Rows of 33 elements of 1 or 2 bytes begin inside a bank's word:
//             at most two elements of a column share a bank. On a CPU, which has no banks, padding
//             changes nothing
#include <ado/portable/variant.hpp>
#include <ado/transpose/accesses.hpp>
#include <ado/transpose/kokkos/tiled.hpp>

namespace ado::bench {

struct TransposeTiledPaddedVariant {
  static constexpr std::string_view algorithm = "transpose", name = "tiled_padded";
  static constexpr std::string_view summary =
      "a tile through padded scratch: coalesced on both sides, no bank conflicts";
  static constexpr std::array cures{Cause::bank_conflicts};
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::tiled(s, type, 8, 1);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    transpose_tiled<1>("ado::transpose[tiled_padded]", exec, call);
  }
};
const PortableVariant<TransposeTiledPaddedVariant> transpose_tiled_padded_registered{__FILE__};

} // namespace ado::bench
