// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv on ranks, openmp, rows: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m]),
// by hand with MPI
//   mapping   each rank averages its vectors of each set as openmp/team does; one MPI_Allgatherv
//             gives all ranks all means, and each multiplies its rows of a by them
//   scratch   workspace: the means twice, and one number per piece if vectors are few and long
//   bytes     reads the rank's vectors and its rows of a once; sends one mean per vector
//   needs     fewer sets than ranks
//   shares    the product runs the kernel of kokkos/rows
//   teaches   what a C++ programmer writes with MPI: the hand-written twin of kokkos/rows
#include <ado/average/openmp.hpp>
#include <ado/average_mv/openmp.hpp>
#include <ado/core/checks.hpp>
#include <ado/distributed/blocks.hpp>
#include <ado/host/variant.hpp>
#include <ado/ranks/mpi.hpp>

#include <algorithm>
#include <vector>

namespace ado::bench {
namespace {

struct Rows {
  static constexpr std::string_view algorithm = "average_mv", name = "rows";
  static constexpr std::string_view summary = "by hand: means by OpenMP, all to all by MPI";
  static constexpr Model model = Model::openmp;
  static constexpr std::string_view shared_kernel = "detail/product/host.hpp";
  static constexpr TypeSet types = real_types;
  static constexpr bool on_ranks = true;

  template <class T>
  static void run(const Call& call) {
    const Array &v = call.arrays[0], &a = call.arrays[1], &y = call.arrays[2];
    const distributed::Comm& comm = comm_of_ranks();
    const std::size_t sets = call.shape[0], length = call.shape[1];
    const distributed::Blocks rows(length, comm.size());
    const std::size_t first = rows.first(comm.rank()), mine = rows.count(comm.rank());
    auto* const gathered = static_cast<T*>(call.workspace);
    T *const means = gathered + sets * length, *const partial = means + sets * length;
    openmp_average(v, gathered + sets * first, mine, partial, call.queue.threads, sets * length);
    std::vector<int> counts, places;
    for (int rank = 0; rank < comm.size(); ++rank) {
      counts.push_back(static_cast<int>(sets * rows.count(rank)));
      places.push_back(static_cast<int>(sets * rows.first(rank)));
    }
    const MPI_Datatype type = sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
    distributed::detail::check_mpi(MPI_Allgatherv(MPI_IN_PLACE, 0, type, gathered, counts.data(),
                                                  places.data(), type, comm.mpi()),
                                   "MPI_Allgatherv");
    for (int rank = 0; rank < comm.size(); ++rank) // received rank by rank, stored set by set
      for (std::size_t n = 0; n < sets; ++n)
        std::copy_n(gathered + sets * rows.first(rank) + n * rows.count(rank), rows.count(rank),
                    means + n * length + rows.first(rank));
    const detail::Product<T> product{.a = a.as<const T>(),
                                     .lda = a.stride[0],
                                     .mean = means,
                                     .y = y.as<T>(),
                                     .y_row = y.stride[0],
                                     .y_column = 1,
                                     .length = length,
                                     .sets = sets,
                                     .rows = mine};
    openmp_multiply(product, call.queue.threads);
  }
  static double rounding_steps(const Shape& s, Type type) {
    return openmp_average_steps(s, type) + detail::host_product::rounding_steps(s[1]);
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return 2 * checked_product({s[0], s[1], size_of(type)}, "average_mv[openmp]: workspace") +
           openmp_average_pieces(s, type).sums() * size_of(type);
  }
};
const HostVariant<Rows> registered{__FILE__};

} // namespace
} // namespace ado::bench
