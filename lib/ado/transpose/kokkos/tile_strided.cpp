// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, kokkos, tile_strided: b[j][i] = a[i][j]
//   mapping   team = a tile of 32 x 32 elements, in the order in which tiles lie in b; thread =
//             four rows of b, eight apart; lane = column of b
//   scratch   none
//   bytes     as tile_rows
//   needs     nothing
//   teaches   against `tile_rows`: from 4 bytes on, the loads of a thread lie in four sectors,
//             which it shares with other threads of its team. L1 serves both equally fast
#include <ado/portable/variant.hpp>
#include <ado/transpose/accesses.hpp>
#include <ado/transpose/kokkos/tile_rows.hpp>

namespace ado::bench {

struct TransposeTileStridedVariant {
  static constexpr std::string_view algorithm = "transpose", name = "tile_strided";
  static constexpr std::string_view summary =
      "a tile a team, rows of b eight apart: sectors are shared between threads";
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::flat_write(s, type, 8);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    transpose_tile_rows<8>("ado::transpose[tile_strided]", exec, call);
  }
};
const PortableVariant<TransposeTileStridedVariant> transpose_tile_strided_registered{__FILE__};

} // namespace ado::bench
