// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// transpose, kokkos, team: b[j][i] = a[i][j]
//   mapping   team: a tile, or several that lie side by side in a; thread and lane: blocks of the
//             tile, which turn in registers, pack by pack; then rows of b
//   scratch   one tile
//   bytes     reads a once, writes b once, past the caches of a CPU if b is large
//   needs     nothing; a GPU moves 16 bytes at a time if rows of both matrices start and end on
//             16-byte boundaries
//   teaches   one body for every backend: what differs is the shape of a tile, whether its packs
//             are swizzled against bank conflicts, and how much of a row of b is stored at once
#include <ado/portable/variant.hpp>
#include <ado/transpose/detail/team.hpp>
#include <ado/transpose/matrices.hpp>

namespace ado::bench {

struct TransposeTeamVariant {
  static constexpr std::string_view algorithm = "transpose", name = "team";
  static constexpr std::string_view summary =
      "one body for all backends: packs turned in registers";
  static constexpr std::array cures{Cause::few_bytes};
  static constexpr TypeSet types = all_types;

  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_matrices(call, [&](const auto& m) { transpose_team(exec, m); });
  }
};
const PortableVariant<TransposeTeamVariant> transpose_team_registered{__FILE__};

} // namespace ado::bench
