// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, kokkos, team: mean[n][l] = (sum over m of v[n][l][m]) / M
//   mapping   team: some (n, l) vectors, the rows of v; thread: one of them, or four at once;
//             lanes: packs of the row side by side. Few long rows are cut into pieces, and a second
//             kernel adds what these have
//   scratch   none; workspace: one number per piece of a cut row
//   bytes     reads v once, writes mean once
//   needs     nothing; a GPU reads packs of 16 bytes if v and each of its rows start on a 16-byte
//             boundary
//   teaches   one body for every backend comes close to kernels for each, and on a GPU is as fast:
//             what differs is the width of a pack, how many lanes share a row, and how many rows a
//             thread reads at once
#include <ado/average/accesses.hpp>
#include <ado/average/call_vectors.hpp>
#include <ado/average/detail/team.hpp>
#include <ado/portable/variant.hpp>

namespace ado::bench {

struct AverageTeamVariant {
  static constexpr std::string_view algorithm = "average", name = "team";
  static constexpr std::string_view summary = "one body for all backends: packs, four rows at once";
  static constexpr std::array cures{Cause::uncoalesced, Cause::few_bytes};
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return average_accesses::vector_of_team(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const Array& mean = call.arrays[1];
      average_team(exec, joined_sets(vectors_of<T>(call), mean.stride[0]), mean.as<T>(),
                   mean.stride[0], static_cast<T*>(call.workspace));
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return one::most_pieces(s[2], size_of(type)) * size_of(type);
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type) {
    return with_real_type(type, [&](auto zero) {
      return average_team_steps<Exec, decltype(zero)>(s[0] * s[1], s[2]);
    });
  }
};
const PortableVariant<AverageTeamVariant> average_team_registered{__FILE__};

} // namespace ado::bench
