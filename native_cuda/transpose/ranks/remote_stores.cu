// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on many ranks, remote_stores: b[j][i] = a[i][j]
//   mapping   that of team; a kernel for each rank, whose tiles lie in that rank's b
//   scratch   the tile
//   bytes     reads a once, writes b once, all but the own block over the link
//   needs     GPUs that reach each other's memory
//   teaches   nothing is staged, and yet it is slow: a link wants longer rows than the 256 bytes of
//             a tile (docs/lab/constants.md#transpose)
#include <ado/cuda/variant.hpp>

#include <native_cuda/transpose/ranks/peers.cuh>

namespace ado::bench::native {

void transpose_remote_stores(const Comm& comm, const RankMatrices& m, const Blocks& rows,
                             const Blocks& columns, cudaStream_t stream) {
  const RankTranspose call(comm, m, rows, columns, stream, "remote_stores",
                           [] { return std::size_t{0}; });
  for (const Target& target : call.targets()) {
    const Piece piece = RankTranspose::whole(target);
    call.turn(piece, call.place(piece), target.ld);
  }
  call.turn_own();
  call.finish();
}

} // namespace ado::bench::native

namespace ado::bench {
namespace {

struct RemoteStores {
  static constexpr std::string_view algorithm = "transpose", name = "remote_stores";
  static constexpr std::string_view summary = "by hand: kernels store into the other GPU's memory";
  static constexpr TypeSet types = all_types;
  static constexpr bool on_ranks = true;

  static void run(const Call& call, cudaStream_t stream) {
    const distributed::Comm& comm = native::comm_of(call);
    const distributed::Blocks rows(call.shape[0], comm.size()), columns(call.shape[1], comm.size());
    native::transpose_remote_stores(comm, native::rank_matrices(call), rows, columns, stream);
  }
};
const CudaVariant<RemoteStores> registered{__FILE__};

} // namespace
} // namespace ado::bench
