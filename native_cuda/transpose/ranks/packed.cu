// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on many ranks, packed: b[j][i] = a[i][j]
//   mapping   that of team into a staging area; then a copy engine brings each rank its block
//   scratch   the tile; the staging area is as large as a
//   bytes     reads a once, writes b once; writes and reads what goes over the link once more
//   needs     GPUs that reach each other's memory
//   teaches   against remote_stores: the rows of a block are long enough for the link, but it waits
//             for the packing (docs/lab/constants.md#transpose)
#include <ado/cuda/variant.hpp>

#include <native_cuda/transpose/ranks/peers.cuh>

namespace ado::bench::native {

void transpose_packed(const Comm& comm, const RankMatrices& m, const Blocks& rows,
                      const Blocks& columns, cudaStream_t stream) {
  const RankTranspose call(comm, m, rows, columns, stream, "packed", [&] {
    return distributed::detail::packed_workspace_bytes(comm.rank(), rows, columns, m.element_bytes);
  });
  const auto staged = [&](const Target& target) {
    return call.staging() + columns.first(target.rank) * rows.count(comm.rank()) * m.element_bytes;
  };
  for (const Target& target : call.targets())
    call.turn(RankTranspose::whole(target), staged(target), target.columns);
  call.streams().packed_into(0);
  for (const Target& target : call.targets())
    call.send(RankTranspose::whole(target), staged(target), target.columns);
  call.turn_own();
  call.finish();
}

} // namespace ado::bench::native

namespace ado::bench {
namespace {

struct Packed {
  static constexpr std::string_view algorithm = "transpose", name = "packed";
  static constexpr std::string_view summary = "by hand: all is packed, then the copy engine sends";
  static constexpr TypeSet types = all_types;
  static constexpr bool on_ranks = true;

  static void run(const Call& call, cudaStream_t stream) {
    const distributed::Comm& comm = native::comm_of(call);
    const distributed::Blocks rows(call.shape[0], comm.size()), columns(call.shape[1], comm.size());
    native::transpose_packed(comm, native::rank_matrices(call), rows, columns, stream);
  }
};
const CudaVariant<Packed> registered{__FILE__};

} // namespace
} // namespace ado::bench
