// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax on ranks, kokkos, allreduce: result = sum over i of y[i] * sum over j of a[i][j] * x[j], rows dealt out
//   mapping   each rank computes its rows' share by kokkos/team of one process; MPI_Allreduce adds the shares
//   scratch   workspace: one number per tile of the rank's rows
//   bytes     reads the rank's rows once; sends one number
//   teaches   the call that everybody writes first: its bits depend on the number of ranks and on MPI's order
#include <ado/portable/variant.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/ranks/rows.hpp>
#include <ado/yax/rounding.hpp>
#include <ado/yax/yax.hpp>

namespace ado {

struct YaxAllreduceOfRanks {
  static constexpr std::string_view algorithm = "yax", name = "allreduce";
  static constexpr std::string_view summary = "each rank its share, one MPI_Allreduce";
  static constexpr TypeSet types = real_types;
  static constexpr bool on_ranks = true;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const auto result = view_of<Exec, T>(call, 3);
      Workspace<Exec> workspace(call.workspace, workspace_bytes(call.shape, call.type));
      yax(exec, view_of<Exec, const T*>(call, 0), view_of<Exec, const T**>(call, 1),
          view_of<Exec, const T*>(call, 2), result, workspace);
      T share = 0;
      Kokkos::View<T, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(&share);
      Kokkos::deep_copy(exec, host, result);
      exec.fence("ado: before MPI_Allreduce");
      distributed::detail::check_mpi(
          MPI_Allreduce(MPI_IN_PLACE, &share, 1,
                        sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE, MPI_SUM,
                        comm_of_ranks().mpi()),
          "MPI_Allreduce");
      Kokkos::deep_copy(exec, result, share);
      exec.fence("ado: the result is there");
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
                        return yax_team_steps<Exec, decltype(zero)>(rows.count(rank), s[1]);
                      }));
    return most + rows.parts(); // MPI may add them one after the other
  }
};
const PortableVariant<YaxAllreduceOfRanks> yax_allreduce_of_ranks_registered{__FILE__};

} // namespace ado
