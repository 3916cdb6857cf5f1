// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, kokkos, tile_rows: b[j][i] = a[i][j]
//   mapping   team = a tile of 32 x 32 elements, in the order in which tiles lie in b; thread =
//             four rows of b, next to each other; lane = column of b
//   scratch   none
//   bytes     writes b once, coalesced; reads a once, for L1 keeps a tile until all its threads
//             have read it
//   needs     nothing
//   teaches   against `flat_write`: the loads are as scattered, but those of a team lie in whole
//             cache lines, which L1 keeps, as `tiled` does by hand. Still each load touches 32
//             lines, and an H200's L1 served 0.9 lines a cycle: that limits now
#include <ado/portable/variant.hpp>
#include <ado/transpose/accesses.hpp>
#include <ado/transpose/kokkos/tile_rows.hpp>

namespace ado::bench {

struct TransposeTileRowsVariant {
  static constexpr std::string_view algorithm = "transpose", name = "tile_rows";
  static constexpr std::string_view summary =
      "a tile a team, four rows of b a thread: the L1 cache serves scattered reads";
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::flat_write(s, type, 8);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    transpose_tile_rows<1>("ado::transpose[tile_rows]", exec, call);
  }
};
const PortableVariant<TransposeTileRowsVariant> transpose_tile_rows_registered{__FILE__};

} // namespace ado::bench
