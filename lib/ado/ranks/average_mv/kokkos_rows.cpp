// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv on ranks, kokkos, rows: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m]),
// rows distributed
//   mapping   each rank averages its vectors of each set as kokkos/tuned does on one process; an
//             all-gather gives all ranks all means, and each multiplies its rows of a by them
//   scratch   workspace: the means twice, as received and set by set
//   bytes     reads the rank's vectors and its rows of a once; sends one mean per vector
//   needs     fewer sets than ranks: otherwise each rank has its own sets, and nothing is sent
//   teaches   how to handle a set larger than a rank's memory: one all-gather between the two steps
#include <ado/average_mv/rounding.hpp>
#include <ado/distributed/average_mv.hpp>
#include <ado/portable/variant.hpp>
#include <ado/ranks/mpi.hpp>

namespace ado::bench {

struct AverageMvRowsOfRanks {
  static constexpr std::string_view algorithm = "average_mv", name = "rows";
  static constexpr std::string_view summary = "rows of a set on each rank; all get all means";
  static constexpr TypeSet types = real_types;
  static constexpr bool on_ranks = true;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const distributed::Comm& comm = comm_of_ranks();
      Workspace<Exec> workspace(call.workspace, workspace_bytes(call.shape, call.type));
      distributed::average_mv(
          exec, comm, view_of<Exec, const T***>(call, 0), view_of<Exec, const T**>(call, 1),
          distributed::Blocks(call.shape[1], comm.size()), view_of<Exec, T**>(call, 2), workspace);
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    const distributed::Comm& comm = comm_of_ranks();
    return distributed::average_mv_workspace_bytes(
        s[0], s[1], distributed::Blocks(s[1], comm.size()).count(comm.rank()), size_of(type));
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type) {
    return with_real_type(type, [&](auto zero) {
      return average_mv_tuned_steps<Exec, decltype(zero)>(s[0], s[1], s[2]);
    });
  }
};
const PortableVariant<AverageMvRowsOfRanks> average_mv_rows_of_ranks_registered{__FILE__};

} // namespace ado::bench
