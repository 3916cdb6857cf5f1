// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax on ranks, openmp, allreduce: result = sum over i of y[i] * sum over j of a[i][j] * x[j],
// by hand for CPUs with MPI
//   mapping   each rank computes its rows' share as openmp/team does on one process; MPI_Allreduce
//             adds the shares
//   scratch   workspace: one number per block of the rank's rows, or per piece
//   bytes     reads the rank's rows once; sends one number
//   teaches   the hand-written twin of kokkos/allreduce
#include <ado/host/variant.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/ranks/rows.hpp>
#include <ado/yax/openmp/sums.hpp>

#include <algorithm>

namespace ado::bench {
namespace {

struct Allreduce {
  static constexpr std::string_view algorithm = "yax", name = "allreduce";
  static constexpr std::string_view summary =
      "by hand: each rank its share by OpenMP, one MPI_Allreduce";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types = real_types;
  static constexpr bool on_ranks = true;

  template <class T>
  static void run(const Call& call) {
    T share = yax_openmp(call.arrays[0].as<const T>(), call.arrays[1], call.arrays[2].as<const T>(),
                         static_cast<T*>(call.workspace), call.queue.threads);
    distributed::detail::check_mpi(
        MPI_Allreduce(MPI_IN_PLACE, &share, 1, sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE,
                      MPI_SUM, comm_of_ranks().mpi()),
        "MPI_Allreduce");
    *call.arrays[3].as<T>() = share;
  }
  static double rounding_steps(const Shape& s, Type type) {
    const distributed::Blocks rows = yax_rows(s);
    double most = 0;
    for (int rank = 0; rank < rows.parts(); ++rank)
      most = std::max(most, yax_openmp_steps({rows.count(rank), s[1], 1}, type));
    return most + rows.parts(); // MPI may add them one after the other
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    const Shape part{yax_rows(s).count(comm_of_ranks().rank()), s[1], 1};
    return yax_openmp_numbers(part, type) * size_of(type);
  }
};
const HostVariant<Allreduce> registered{__FILE__};

} // namespace
} // namespace ado::bench
