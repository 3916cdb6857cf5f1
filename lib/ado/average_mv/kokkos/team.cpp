// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, kokkos, team: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m])
//   mapping   means: as `average`, to the workspace. Product (detail/product/team.hpp): team: a
//             part of y; thread: some rows and sets of it; lanes: packs of the row of a and of the
//             set's means, side by side. Large products on a GPU: no lanes, and split-K where parts
//             are few, which a second kernel adds
//   scratch   on a GPU, for large products: a stage of the team's rows of a, and of its sets'
//             means; workspace: the means, one number per piece of a cut vector, the sums of splits
//   bytes     reads v once, writes and reads the means once, and a once for each part of the sets,
//             from a cache
//   needs     nothing; a GPU reads packs of 16 bytes if v, a and each of their rows start on a
//             16-byte boundary
//   teaches   one body for every backend: sums of the product stay in registers, and each pack of
//             means serves several rows of a. `tuned` has tensor cores, and for CPUs a product of
//             its own
#include <ado/average/call_vectors.hpp>
#include <ado/average/detail/team.hpp>
#include <ado/average_mv/accesses.hpp>
#include <ado/average_mv/detail/product/team.hpp>
#include <ado/portable/variant.hpp>

namespace ado::bench {

struct AverageMvTeamVariant {
  static constexpr std::string_view algorithm = "average_mv", name = "team";
  static constexpr std::string_view summary = "one body for all backends: packs, sums in registers";
  static constexpr std::array cures{Cause::few_teams, Cause::few_bytes};
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return {average_mv_accesses::v_by_lanes(s, type)};
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const Array &a = call.arrays[1], &y = call.arrays[2];
      const auto v = vectors_of<T>(call);
      const std::size_t ldm = means_apart<T>(v.length);
      T* const means = static_cast<T*>(call.workspace);
      T* const pieces = means + v.sets * ldm;
      average_team(exec, v, means, ldm, pieces);
      multiply_team(exec,
                    RowProducts<T>{a.as<const T>(), a.stride[0], means, ldm, y.as<T>(), y.stride[0],
                                   v.length, v.sets},
                    pieces);
    });
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return with_real_type(type, [&](auto zero) {
      using T = decltype(zero);
      return checked_product({s[0], means_apart<T>(s[1]), sizeof(T)}, "average_mv: workspace") +
             std::max(one::most_pieces(s[2], sizeof(T)), numbers_of_splits(s[1], s[0])) * sizeof(T);
    });
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type) {
    return with_real_type(type, [&](auto zero) {
      using T = decltype(zero);
      return average_team_steps<Exec, T>(s[0] * s[1], s[2]) + multiply_steps<Exec, T>(s[1], s[0]);
    });
  }
};
const PortableVariant<AverageMvTeamVariant> average_mv_team_registered{__FILE__};

} // namespace ado::bench
