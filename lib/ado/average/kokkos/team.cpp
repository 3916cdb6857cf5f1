// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average, kokkos, team: mean[n][l] = (sum over m of v[n][l][m]) / M
//   mapping   team: some (n, l) vectors, the rows of v; thread: one of them, or four at once; lanes: packs of the
//             row side by side. Few long rows are cut into pieces, and a second kernel adds what these have
//   scratch   none; workspace: one number per piece of a cut row
//   bytes     reads v once, writes mean once
//   needs     nothing; a GPU reads packs of 16 bytes if v and each of its rows start on a 16-byte boundary
//   teaches   one body for every backend comes close to `tuned`, which has a kernel for each: what differs is
//             the width of a pack, how many lanes share a row, and how many rows a thread reads at once
#include <ado/average/accesses.hpp>
#include <ado/average/call_vectors.hpp>
#include <ado/average/detail/piece_sums.hpp>
#include <ado/portable/row_sum_steps.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

namespace ado {

/// Means of the rows of v from sums of v, or of what its pieces have.
template <class Exec, class T, int lanes, class P>
struct AverageTeam {
  using Member = typename Teams<Exec, 4>::member_type;

  VectorsRef<T> v;
  std::size_t rows_per_team;
  T divisor;
  T* mean;
  std::size_t mean_stride;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t begin = std::size_t(team.league_rank()) * rows_per_team;
    const std::size_t count = Kokkos::min(rows_per_team, v.sets * v.length - begin);
    one::sum_rows<lanes, P>(
        team, count, [&](std::size_t i) { return one::Row<T>{v.row(begin + i)}; }, v.count,
        one::Itself(),
        [&](std::size_t i, std::size_t apart, const auto& sums) {
          const auto means = sums / std::decay_t<decltype(sums)>::of(divisor);
          Kokkos::single(Kokkos::PerThread(team), [&] {
            ADO_UNROLL
            for (int k = 0; k < means.size; ++k) {
              const std::size_t row = begin + i + k * apart, set = v.set_of(row);
              mean[set * mean_stride + row - set * v.length] = means.get(k);
            }
          });
        });
  }
};

/// Launches the kernels; asynchronous on `exec`. `partial` holds one::most_pieces() numbers.
template <class Exec, class T>
void average_team(const Exec& exec, const VectorsRef<T>& v, T* mean, std::size_t mean_stride,
                  T* partial) {
  const std::size_t rows = v.sets * v.length;
  if (rows == 0) return;
  const auto divide = [&](const VectorsRef<T>& of, const one::RowPlan& plan) {
    one::with_lanes_and_pack<Exec, T>(plan, of.wide(), [&](auto lanes, auto pack) {
      Kokkos::parallel_for("ado::average[team]",
                           teams<4>(exec, ceil_div(rows, plan.rows_per_team), lanes),
                           AverageTeam<Exec, T, lanes, decltype(pack)>{
                               of, plan.rows_per_team, T(v.count), mean, mean_stride});
    });
  };
  with_pieces_summed("ado::average::pieces[team]", exec, v, partial, divide);
}

struct AverageTeamVariant {
  static constexpr std::string_view algorithm = "average", name = "team";
  static constexpr std::string_view summary = "one body for all backends: packs, four rows at once";
  static constexpr std::array cures{Cause::uncoalesced, Cause::few_bytes};
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return average_accesses::vector_by_lanes(
        s, type, static_cast<std::size_t>(device_lanes(s[2], size_of(type))));
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
      using T = decltype(zero);
      const std::size_t rows = s[0] * s[1];
      return one::row_steps<Exec, T>(one::plan_rows<Exec>(rows, s[2], sizeof(T)), rows) + 1;
    });
  }
};
const PortableVariant<AverageTeamVariant> average_team_registered{__FILE__};

} // namespace ado
