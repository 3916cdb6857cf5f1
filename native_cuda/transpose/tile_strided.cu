// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, tile_strided: b[j][i] = a[i][j]
//   mapping   block = a tile of 32 x 32 elements, in the order in which tiles lie in b; thread =
//             four rows of b, eight apart; lane = column of b
//   scratch   none
//   bytes     as tile_rows
//   needs     elements of 1, 2, 4, 8 or 16 bytes, any leading dimension
//   teaches   against `tile_rows`: from 4 bytes on, the loads of a thread lie in four sectors,
//             which it shares with other threads of its block. L1 serves both equally fast
#include <ado/transpose/accesses.hpp>

#include <native_cuda/transpose/tile_rows.cuh>

namespace ado::bench::native {
namespace {

struct TransposeTileStrided {
  static constexpr std::string_view algorithm = "transpose", name = "tile_strided";
  static constexpr std::string_view summary =
      "a tile a block, rows of b eight apart: sectors are shared between threads";
  static constexpr TypeSet types = all_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return transpose_accesses::flat_write(s, type, 16);
  }
  static void run(const Call& call, cudaStream_t stream) {
    launch_tile_rows<8>("transpose_tile_strided", call, stream);
  }
};
const CudaVariant<TransposeTileStrided> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
