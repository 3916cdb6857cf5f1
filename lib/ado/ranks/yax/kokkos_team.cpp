// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax on ranks, kokkos, team: result = sum over i of y[i] * sum over j of a[i][j] * x[j],
// rows distributed
//   mapping   each rank sums its tiles of the whole matrix as kokkos/tuned does; all ranks get all
//             sums, and each adds them with the same kernel in the same order
//   scratch   workspace: one number per tile of the whole matrix
//   bytes     reads the rank's rows once; sends one number per tile
//   teaches   against `allreduce`: the bits are the same as on one rank, whatever the number of
//             ranks
#include <ado/distributed/yax.hpp>
#include <ado/portable/variant.hpp>
#include <ado/ranks/mpi.hpp>
#include <ado/ranks/rows.hpp>
#include <ado/yax/rounding.hpp>

namespace ado::bench {

struct YaxTeamOfRanks {
  static constexpr std::string_view algorithm = "yax", name = "team";
  static constexpr std::string_view summary = "tiles of the whole; all ranks add all sums in order";
  static constexpr TypeSet types = real_types;
  static constexpr bool on_ranks = true;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      Workspace<Exec> workspace(call.workspace, workspace_bytes(call.shape, call.type));
      distributed::yax(exec, comm_of_ranks(), view_of<Exec, const T*>(call, 0),
                       view_of<Exec, const T**>(call, 1), view_of<Exec, const T*>(call, 2),
                       yax_rows(call.shape), view_of<Exec, T>(call, 3), workspace);
    });
  }
  /// The same for all backends: a record has one function for all.
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    std::size_t bytes = 0;
    for_each_space([&]<class Exec>(std::string_view) {
      bytes = std::max(bytes, distributed::yax_workspace_bytes<Exec>(s[0], s[1], size_of(type)));
    });
    return bytes;
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type) {
    return with_real_type(
        type, [&](auto zero) { return yax_tuned_steps<Exec, decltype(zero)>(s[0], s[1]); });
  }
};
const PortableVariant<YaxTeamOfRanks> yax_team_of_ranks_registered{__FILE__};

} // namespace ado::bench
