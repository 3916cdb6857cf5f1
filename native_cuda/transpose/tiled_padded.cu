// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, tiled_padded: b[j][i] = a[i][j]
//   mapping   as `tiled`: block = a tile of 32 x 32 elements, in the order in which tiles lie in b;
//             warp = eight rows of the tile, first of a, then of b; lane = neighbouring elements
//   scratch   the tile, 32 x 33 elements of shared memory
//   bytes     reads a once, writes b once
//   needs     elements of 1, 2, 4, 8 or 16 bytes, any leading dimension
//   teaches   against `tiled`: one element of padding a row, and the elements of a column lie in
//             different banks. Those of 4 bytes in banks 0, 1, 2, ...; of 8 and 16 bytes in every
//             2nd and 4th, as wide as they are. Rows of 33 elements of 1 or 2 bytes begin inside a
//             bank's word: at most two elements of a column meet
#include <ado/transpose/accesses.hpp>

#include <native_cuda/transpose/tiled.cuh>

namespace ado::bench::native {
namespace {

struct TransposeTiledPadded {
  static constexpr std::string_view algorithm = "transpose", name = "tiled_padded";
  static constexpr std::string_view summary =
      "a tile through padded shared memory: coalesced on both sides, no bank conflicts";
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::tiled(s, type, 16, 1);
  }
  static void run(const Call& call, cudaStream_t stream) {
    launch_tiled<1>("transpose_tiled_padded", call, stream);
  }
};
const CudaVariant<TransposeTiledPadded> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
