// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on many ranks, vendor, nccl: b[j][i] = a[i][j]
//   mapping   that of team into a staging area; NCCL's all-to-all, a send and a receive for each
//             other rank in one group; copies from where they came into the columns of b
//   scratch   the tile; memory as large as a and as b, and NCCL's own
//   bytes     reads a once, writes b once; what goes over the link is written and read twice more
//   needs     NCCL 2.7 or newer, and a GPU for each rank
//   teaches   the yardstick on many GPUs: what the library does that most programs use
#include <ado/cuda/variant.hpp>

#include <native_cuda/core/launch.hpp>
#include <native_cuda/core/ranks.hpp>
#include <native_cuda/transpose/ranks/nccl_group.hpp>
#include <native_cuda/transpose/ranks/ranks.hpp>
#include <native_cuda/transpose/transpose.hpp>

#include <cstddef>
#include <memory>

namespace ado::bench::native {
namespace {

using distributed::Blocks;
using distributed::Comm;

/// And memory for what is packed and what comes.
struct Group {
  explicit Group(const Comm& comm) : nccl(comm) {}

  NcclGroup nccl;
  RankStaging packed, come;
};

/// Starts what each rank sends to each other: its rows of a are packed as all columns of them.
void exchange(const Comm& comm, const Group& group, std::size_t element_bytes, const Blocks& rows,
              const Blocks& columns, cudaStream_t stream) {
  const int me = comm.rank();
  const std::size_t sent_row = rows.count(me) * element_bytes;
  const std::size_t come_row = columns.count(me) * element_bytes;
  check_nccl(ncclGroupStart(), "ncclGroupStart");
  for (int step = 1; step < comm.size(); ++step) {
    const int to = (me + step) % comm.size(), from = (me + comm.size() - step) % comm.size();
    check_nccl(ncclSend(group.packed.data() + columns.first(to) * sent_row,
                        columns.count(to) * sent_row, ncclInt8, to, group.nccl.get(), stream),
               "ncclSend");
    check_nccl(ncclRecv(group.come.data() + rows.first(from) * come_row,
                        rows.count(from) * come_row, ncclInt8, from, group.nccl.get(), stream),
               "ncclRecv");
  }
  check_nccl(ncclGroupEnd(), "ncclGroupEnd");
}

void transpose_by_nccl(const Comm& comm, const RankMatrices& m, const Blocks& rows,
                       const Blocks& columns, cudaStream_t stream) {
  const int me = comm.rank();
  const std::size_t bytes = m.element_bytes, mine = rows.count(me), width = columns.count(me);
  Group& group = comm.kept<Group>([&] { return std::make_shared<Group>(comm); });
  group.packed.reserve(mine * columns.total() * bytes);
  group.come.reserve(width * rows.total() * bytes);
  const auto turn = [&](std::size_t first, std::size_t count, void* to, std::size_t ld) {
    if (mine != 0 && count != 0)
      transpose(bytes, mine, count, static_cast<const std::byte*>(m.a) + first * bytes, m.lda, to,
                ld, stream);
  };
  const auto row_of_b = [&](int rank) {
    return static_cast<std::byte*>(m.b) + rows.first(rank) * bytes;
  };
  const std::size_t before = columns.first(me), behind = before + width;
  turn(0, before, group.packed.data(), mine);
  turn(behind, columns.total() - behind, group.packed.data() + behind * mine * bytes, mine);
  exchange(comm, group, bytes, rows, columns, stream);
  turn(before, width, row_of_b(me), m.ldb);
  for (int rank = 0; rank < comm.size(); ++rank) {
    const std::size_t row = rows.count(rank) * bytes;
    if (rank != me && row != 0 && width != 0)
      check(cudaMemcpy2DAsync(row_of_b(rank), m.ldb * bytes,
                              group.come.data() + rows.first(rank) * width * bytes, row, row, width,
                              cudaMemcpyDeviceToDevice, stream),
            "copying what came");
  }
  check(cudaStreamSynchronize(stream), "waiting for what comes");
  group.nccl.check();
}

struct Nccl {
  static constexpr std::string_view algorithm = "transpose", name = "nccl";
  static constexpr Model model = Model::vendor;
  static constexpr std::string_view summary = "NCCL's all-to-all between local transposes";
  static constexpr TypeSet types = all_types;
  static constexpr bool on_ranks = true;

  static void run(const Call& call, cudaStream_t stream) {
    const Comm& comm = comm_of(call);
    const Blocks rows(call.shape[0], comm.size()), columns(call.shape[1], comm.size());
    transpose_by_nccl(comm, rank_matrices(call), rows, columns, stream);
  }
};
const CudaVariant<Nccl> registered{__FILE__};

} // namespace
} // namespace ado::bench::native
