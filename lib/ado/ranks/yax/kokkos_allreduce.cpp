// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax on ranks, kokkos, allreduce: result = sum over i of y[i] * sum over j of a[i][j] * x[j],
// rows distributed
//   mapping   each rank computes its rows' share as kokkos/tuned does on one process; MPI_Allreduce
//             adds the shares
//   scratch   workspace: one number per tile of the rank's rows
//   bytes     reads the rank's rows once; sends one number
//   teaches   the call that everybody writes first: its bits depend on the number of ranks and on
//             MPI's order
#include <ado/distributed/host_memory.hpp>
#include <ado/portable/variant.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/ranks/rows.hpp>
#include <ado/yax/rounding.hpp>
#include <ado/yax/yax.hpp>

namespace ado::bench {

struct YaxAllreduceOfRanks {
  static constexpr std::string_view algorithm = "yax", name = "allreduce";
  static constexpr std::string_view summary = "each rank its share, one MPI_Allreduce";
  static constexpr TypeSet types = real_types;
  static constexpr bool on_ranks = true;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      Workspace<Exec> workspace(call.workspace, workspace_bytes(call.shape, call.type));
      const distributed::Comm& comm = comm_of_ranks();
      // The kernel writes its share where the host can read it.
      const Kokkos::View<T, distributed::detail::PageLockedSpace,
                         Kokkos::MemoryTraits<Kokkos::Unmanaged>>
          share(reinterpret_cast<T*>(distributed::detail::PageLocked<Exec>::of(comm, sizeof(T))));
      yax(exec, view_of<Exec, const T*>(call, 0), view_of<Exec, const T**>(call, 1),
          view_of<Exec, const T*>(call, 2), share, workspace);
      exec.fence("ado: before MPI_Allreduce");
      distributed::detail::check_mpi(
          MPI_Allreduce(MPI_IN_PLACE, share.data(), 1,
                        sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE, MPI_SUM, comm.mpi()),
          "MPI_Allreduce");
      Kokkos::deep_copy(exec, view_of<Exec, T>(call, 3), share);
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return yax_workspace_bytes(yax_rows(s).count(comm_of_ranks().rank()), s[1], size_of(type));
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type) {
    double most = 0;
    const distributed::Blocks rows = yax_rows(s);
    for (int rank = 0; rank < rows.parts(); ++rank)
      most = std::max(most, with_real_type(type, [&](auto zero) {
                        return yax_tuned_steps<Exec, decltype(zero)>(rows.count(rank), s[1]);
                      }));
    return most + rows.parts(); // MPI may add them one after the other
  }
};
const PortableVariant<YaxAllreduceOfRanks> yax_allreduce_of_ranks_registered{__FILE__};

} // namespace ado::bench
