// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax on ranks, openmp, allreduce: result = sum over i of y[i] * sum over j of a[i][j] * x[j], by hand for CPUs with MPI
//   mapping   each rank computes its rows' share as openmp/team of one process; MPI_Allreduce adds the shares
//   scratch   workspace: one number per block of the rank's rows, or per piece
//   bytes     reads the rank's rows once; sends one number
//   teaches   the twin that kokkos/allreduce is measured against
#include <ado/core/checks.hpp>
#include <ado/host/variant.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/ranks/rows.hpp>
#include <ado/yax/openmp/sums.hpp>

#include <algorithm>

namespace ado {
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
    T share = share_of(call.arrays[0].as<const T>(), call.arrays[1], call.arrays[2].as<const T>(),
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
    const std::size_t rows = yax_rows(s).count(comm_of_ranks().rank());
    return std::max(OpenmpPieces(rows, s[1], size_of(type)).sums(),
                    ceil_div(rows, yax_block_rows({rows, s[1], 1}, size_of(type)))) *
           size_of(type);
  }

private:
  template <class T>
  static T share_of(const T* y, const Array& a, const T* x, T* partial, int threads) {
    const OpenmpPieces pieces(a.extent[0], a.extent[1], sizeof(T));
    if (!pieces.cut()) {
      const std::size_t together = yax_block_rows({pieces.rows, a.extent[1], 1}, sizeof(T));
      yax_block_sums(y, a, x, partial, together, threads);
      return openmp_sum<T>(ceil_div(pieces.rows, together), OpenmpValues<T>{partial});
    }
    yax_piece_sums(pieces, a, x, partial, threads);
    T sum = 0;
    for (std::size_t i = 0; i < pieces.rows; ++i)
      sum += y[i] * openmp_row(pieces, partial, i);
    return sum;
  }
};
const HostVariant<Allreduce> registered{__FILE__};

} // namespace
} // namespace ado
