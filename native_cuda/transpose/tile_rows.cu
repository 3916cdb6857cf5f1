// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, tile_rows: b[j][i] = a[i][j]
//   mapping   block = a tile of 32 x 32 elements, in the order in which tiles lie in b; thread =
//             four rows of b, next to each other; lane = column of b
//   scratch   none
//   bytes     writes b once, coalesced; reads a once, for L1 keeps a tile until all its threads
//             have read it
//   needs     elements of 1, 2, 4, 8 or 16 bytes, any leading dimension
//   teaches   against `flat_write`: the loads are as scattered, but those of a block lie in whole
//             cache lines, which L1 keeps, as `tiled` does by hand. Still each load touches 32
//             lines, and an H200's L1 served 0.9 lines a cycle: that limits now
#include <ado/transpose/accesses.hpp>

#include <native_cuda/transpose/tile_rows.cuh>

namespace ado::bench::native {
namespace {

struct TransposeTileRows {
  static constexpr std::string_view algorithm = "transpose", name = "tile_rows";
  static constexpr std::string_view summary =
      "a tile a block, four rows of b a thread: the L1 cache serves scattered reads";
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::flat_write(s, type, 16);
  }
  static void run(const Call& call, cudaStream_t stream) {
    launch_tile_rows<1>("transpose_tile_rows", call, stream);
  }
};
const CudaVariant<TransposeTileRows> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
