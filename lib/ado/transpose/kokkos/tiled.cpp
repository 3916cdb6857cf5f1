// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, kokkos, tiled: b[j][i] = a[i][j]
//   mapping   team = a tile of 32 x 32 elements, in the order in which tiles lie in b; thread =
//             rows of the tile, first of a, then of b; lane = neighbouring elements of the row
//   scratch   the tile, 32 x 32 elements a team
//   bytes     reads a once, writes b once
//   needs     nothing
//   teaches   against `flat`, `flat_write` and `blocked`: with a place to transpose the tile in, a
//             warp reads and writes whole rows of 32 elements. The limit moves into scratch. There
//             a warp writes a row but reads a column. 4-byte elements of a column all lie in one of
//             the 32 banks, so they come one after the other. Of 2-byte elements 16 share a bank,
//             of 1-byte elements 8. With 8 and 16 bytes the column takes 32 passes where 2 and 4
//             would do. `tiled_padded` fixes that
#include <ado/portable/variant.hpp>
#include <ado/transpose/accesses.hpp>
#include <ado/transpose/kokkos/tiled.hpp>

namespace ado::bench {

struct TransposeTiledVariant {
  static constexpr std::string_view algorithm = "transpose", name = "tiled";
  static constexpr std::string_view summary =
      "a tile through scratch: coalesced on both sides, bank conflicts";
  static constexpr std::array cures{Cause::uncoalesced};
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::tiled(s, type, 8, 0);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    transpose_tiled<0>("ado::transpose[tiled]", exec, call);
  }
};
const PortableVariant<TransposeTiledVariant> transpose_tiled_registered{__FILE__};

} // namespace ado::bench
