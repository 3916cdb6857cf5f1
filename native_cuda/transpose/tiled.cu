// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, tiled: b[j][i] = a[i][j]
//   mapping   block = a tile of 32 x 32 elements, in the order in which tiles lie in b; warp =
//             eight rows of the tile, first of a, then of b; lane = neighbouring elements of the
//             row
//   scratch   the tile, 32 x 32 elements of shared memory
//   bytes     reads a once, writes b once
//   needs     elements of 1, 2, 4, 8 or 16 bytes, any leading dimension
//   teaches   against `flat`, `flat_write` and `blocked`: with a place to transpose the tile in, a
//             warp reads and writes whole rows of 32 elements. The limit moves into shared memory.
//             There a warp writes a row, but reads a column, whose elements of 4 bytes all lie in
//             one of the 32 banks and come one after the other; of 2 bytes 16 share a bank, of 1
//             byte 8; of 8 and 16 bytes the column takes 32 passes where 2 and 4 would do.
//             `tiled_padded` mends that
#include <ado/transpose/accesses.hpp>

#include <native_cuda/transpose/tiled.cuh>

namespace ado::bench::native {
namespace {

struct TransposeTiled {
  static constexpr std::string_view algorithm = "transpose", name = "tiled";
  static constexpr std::string_view summary =
      "a tile through shared memory: coalesced on both sides, bank conflicts";
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::tiled(s, type, 16, 0);
  }
  static void run(const Call& call, cudaStream_t stream) {
    launch_tiled<0>("transpose_tiled", call, stream);
  }
};
const CudaVariant<TransposeTiled> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
