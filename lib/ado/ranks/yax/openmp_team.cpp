// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax on ranks, openmp, team: result = sum over i of y[i] * sum over j of a[i][j] * x[j],
// by hand for CPUs with MPI
//   mapping   each rank sums its rows as openmp/team does; one MPI_Allgatherv gives all ranks all
//             sums, and each adds them in the order of the whole matrix
//   scratch   workspace: one number per block of rows of the whole matrix, or per row, and per
//             piece of the rank's rows
//   bytes     reads the rank's rows once; sends one number per block or row
//   teaches   the hand-written twin of kokkos/team on ranks; its bits do not depend on the number
//             of ranks
#include <ado/host/variant.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/ranks/rows.hpp>
#include <ado/yax/openmp/sums.hpp>

#include <vector>

namespace ado::bench {
namespace {

struct Team {
  static constexpr std::string_view algorithm = "yax", name = "team";
  static constexpr std::string_view summary =
      "by hand: sums of blocks by OpenMP, all to all by MPI";
  static constexpr Model model = Model::openmp;
  static constexpr TypeSet types = real_types;
  static constexpr bool on_ranks = true;

  template <class T>
  static void run(const Call& call) {
    const Array &y = call.arrays[0], &a = call.arrays[1], &x = call.arrays[2];
    const distributed::Comm& comm = comm_of_ranks();
    const distributed::Blocks rows = yax_rows(call.shape);
    // The whole matrix decides whether rows are cut, and how.
    OpenmpPieces pieces(call.shape[0], call.shape[1], sizeof(T));
    const std::size_t together = yax_block_rows(call.shape, sizeof(T));
    std::vector<int> counts, places;
    int total = 0;
    for (int rank = 0; rank < rows.parts(); ++rank) {
      counts.push_back(
          static_cast<int>(pieces.cut() ? rows.count(rank) : ceil_div(rows.count(rank), together)));
      places.push_back(total);
      total += counts.back();
    }
    auto* const sums = static_cast<T*>(call.workspace);
    T* const mine = sums + places[static_cast<std::size_t>(comm.rank())];
    if (pieces.cut()) {
      pieces.rows = a.extent[0];
      yax_row_sums(pieces, y.as<const T>(), a, x.as<const T>(), sums + total, mine,
                   call.queue.threads);
    } else {
      yax_block_sums(y.as<const T>(), a, x.as<const T>(), mine, together, call.queue.threads);
    }
    const MPI_Datatype type = sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
    distributed::detail::check_mpi(
        MPI_Allgatherv(MPI_IN_PLACE, 0, type, sums, counts.data(), places.data(), type, comm.mpi()),
        "MPI_Allgatherv");
    *call.arrays[3].as<T>() = openmp_sum<T>(static_cast<std::size_t>(total), OpenmpValues<T>{sums});
  }
  static double rounding_steps(const Shape& s, Type type) { return yax_openmp_steps(s, type); }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    const OpenmpPieces pieces(s[0], s[1], size_of(type));
    const std::size_t here = yax_rows(s).count(comm_of_ranks().rank()) * pieces.count;
    const std::size_t numbers = pieces.cut() ? s[0] + here
                                             : ceil_div(s[0], yax_block_rows(s, size_of(type))) +
                                                   std::size_t(comm_of_ranks().size());
    return numbers * size_of(type);
  }
};
const HostVariant<Team> registered{__FILE__};

} // namespace
} // namespace ado::bench
