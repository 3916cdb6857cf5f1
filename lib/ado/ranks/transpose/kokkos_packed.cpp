// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose on ranks, kokkos, packed: b[j][i] = a[i][j], rows of a and of b dealt out
//   mapping   each rank transposes its rows by `team` and has in one piece what each other rank needs; each sends such
//             a piece to each other one, the next rank first; what comes is copied into its columns of b at once
//   scratch   workspace: a copy of the rank's rows of a, and one of its rows of b
//   bytes     reads a twice and writes b twice, beside what is sent; each element but the rank's own is sent once
//   teaches   against `datatypes`: the local transpose is the packing, so that MPI moves long pieces only
#include <ado/distributed/transpose.hpp>
#include <ado/portable/variant.hpp>
#include <ado/ranks/mpi.hpp>

namespace ado {

struct TransposePackedVariant {
  static constexpr std::string_view algorithm = "transpose", name = "packed";
  static constexpr std::string_view summary = "the local transpose packs, blocks are sent whole";
  static constexpr TypeSet types = all_types;
  static constexpr bool on_ranks = true;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_element(size_of(call.type), [&](auto element) {
      using E = decltype(element);
      const distributed::Comm& comm = comm_of_ranks();
      const distributed::Blocks rows(call.shape[0], comm.size()),
          columns(call.shape[1], comm.size());
      Workspace<Exec> workspace(call.workspace, workspace_bytes(call.shape, call.type));
      distributed::transpose(exec, comm, view_of<Exec, const E**>(call, 0), rows,
                             view_of<Exec, E**>(call, 1), columns, workspace);
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    const distributed::Comm& comm = comm_of_ranks();
    return distributed::transpose_workspace_bytes(distributed::Blocks(s[0], comm.size()),
                                                  distributed::Blocks(s[1], comm.size()),
                                                  comm.rank(), size_of(type));
  }
};
const PortableVariant<TransposePackedVariant> transpose_packed_registered{__FILE__};

} // namespace ado
