// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on many ranks, slabs: b[j][i] = a[i][j]
//   mapping   that of team into one of three buffers, a slab of columns of a at a time; a copy
//             engine brings the rank the slab before it meanwhile, and the own block is turned on a
//             third stream, behind the packing
//   scratch   the tile; three slabs of staging
//   bytes     reads a once, writes b once; writes and reads what goes over the link once more
//   needs     GPUs that reach each other's memory; rows of less than 1 KiB go as in remote_stores
//   teaches   against packed: the link waits for the first slab alone
//             (docs/lab/constants.md#transpose)
#include <ado/cuda/variant.hpp>

#include <native_cuda/transpose/ranks/peers.cuh>

namespace ado::bench::native {

void transpose_slabs(const Comm& comm, const RankMatrices& m, const Blocks& rows,
                     const Blocks& columns, cudaStream_t stream, std::size_t slabs) {
  using namespace distributed::detail;
  const RankTranspose call(comm, m, rows, columns, stream, "slabs", [&] {
    return slab_workspace_bytes(comm.rank(), rows, columns, m.element_bytes, slabs);
  });
  PeerStreams& streams = call.streams();
  const std::vector<Piece> pieces = pieces_of(call.targets(), m.element_bytes, slabs);
  const Staging staging = Staging::of(pieces, m.element_bytes);
  std::size_t copied = 0;
  for (std::size_t k = 0; k < pieces.size(); ++k) {
    const Piece& piece = pieces[k];
    if (piece.copied) {
      const std::size_t buffer = copied++ % staging.buffers;
      const std::size_t ld = staged_ld(piece.target.columns, m.element_bytes);
      std::byte* const staged = call.staging() + buffer * staging.elements * m.element_bytes;
      streams.wait_for_buffer(buffer);
      call.turn(piece, staged, ld);
      streams.packed_into(buffer);
      call.send(piece, staged, ld);
      streams.sent_from(buffer);
    } else {
      call.turn(piece, call.place(piece), piece.target.ld);
    }
    if (k == 0) call.turn_own(); // beside all others; the link waits for the first
  }
  if (pieces.empty()) call.turn_own();
  call.finish();
}

} // namespace ado::bench::native

namespace ado::bench {
namespace {

struct Slabs {
  static constexpr std::string_view algorithm = "transpose", name = "slabs";
  static constexpr std::string_view summary =
      "by hand: three buffers, packing and copy engine side by side";
  static constexpr TypeSet types = all_types;
  static constexpr bool on_ranks = true;

  static void run(const Call& call, cudaStream_t stream) {
    const distributed::Comm& comm = native::comm_of(call);
    const distributed::Blocks rows(call.shape[0], comm.size()), columns(call.shape[1], comm.size());
    native::transpose_slabs(comm, native::rank_matrices(call), rows, columns, stream);
  }
};
const CudaVariant<Slabs> registered{__FILE__};

} // namespace
} // namespace ado::bench
