// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// yax, kokkos, team: result = sum over i of y[i] * (sum over j of a[i][j] * x[j])
//   mapping   team: a tile of some rows; thread: one of them, or four at once; lanes: packs of the
//             row side by side. The team that ends last adds what the tiles have. Few long rows are
//             cut into pieces first
//   scratch   two sums of the team; workspace: a counter, one number per tile, and per piece of a
//             cut row
//   bytes     reads a once; x from a cache
//   needs     nothing; a GPU reads packs of 16 bytes if a, each of its rows and x start on a
//             16-byte boundary
//   teaches   one body for every backend comes close to `tuned`, which has a kernel for each;
//             threads add up their rows before they meet, so that a team has one reduction and not
//             one for each row
#include <ado/portable/last_team.hpp>
#include <ado/portable/row_sum_steps.hpp>
#include <ado/portable/row_sums.hpp>
#include <ado/portable/variant.hpp>
#include <ado/portable/workspace.hpp>
#include <ado/yax/accesses.hpp>

#include <Kokkos_Core.hpp>

namespace ado::bench {

template <class T>
struct MatrixRows {
  const T* data;
  std::size_t rows, columns, ld;
  KOKKOS_FUNCTION const T* row(std::size_t i) const { return data + i * ld; }
};

/// *result = sum over all rows of weight[i] times the sum of the row's terms. A team has a tile of
/// rows; tile[t] = the sum of tile t.
template <class Exec, int lanes, class P, class Term>
struct YaxTeam {
  using T = typename P::Number;
  using Member = typename Teams<Exec, 4>::member_type;
  using C = one::Constants<Exec>;
  static constexpr int threads = C::team_threads;

  MatrixRows<T> a;
  Term term;
  const T* weight; ///< null: all are 1
  std::size_t rows_per_team;
  T* tile;           ///< up to a whole pack
  unsigned* arrived; ///< teams; 0 before and after
  T* result;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t begin = std::size_t(team.league_rank()) * rows_per_team;
    T* const scratch = scratch_of<T, threads>(team, 2);
    one::Pack<T, C::rows_at_once> sums{};
    one::sum_rows<lanes, P>(
        team, Kokkos::min(rows_per_team, a.rows - begin),
        [&](std::size_t i) { return one::Row<T>{a.row(begin + i)}; }, a.columns, term, scratch,
        [&](std::size_t i, std::size_t apart, const auto& of_rows) {
          ADO_UNROLL
          for (int k = 0; k < of_rows.size; ++k) {
            const T one = weight == nullptr ? T(1) : weight[begin + i + k * apart];
            sums.set(k, sums.get(k) + one * of_rows.get(k));
          }
        });
    const T sum =
        team_sum<threads, lanes>(team, sum_of_slots(sums), scratch + sums_scratch<Exec, threads>);
    using Tiles = one::Pack<T, C::pack_bytes / sizeof(T)>;
    const int tiles = team.league_size(), packs = (tiles + Tiles::size - 1) / Tiles::size;
    if (team.team_rank() == 0) {
      (tiles == 1 ? *result : tile[team.league_rank()]) = sum;
      if (team.league_rank() == 0 && tiles > 1)
        for (int t = tiles; t < packs * Tiles::size; ++t)
          tile[t] = 0;
    }
    if (tiles == 1 || !is_last_team<threads>(team, arrived)) return;
    Tiles some{};
    ADO_UNROLL_BY(1)
    for (int k = team.team_rank(); k < packs; k += threads)
      some += one::load<Tiles>(tile + k * Tiles::size);
    const T of_tiles = team_sum<threads>(team, sum_of_slots(some), scratch);
    if (team.team_rank() == 0) *result = of_tiles;
  }
};

inline constexpr std::size_t yax_most_tiles = 8192;

/// Numbers of the workspace for the tiles, whole packs of any backend.
inline std::size_t yax_tile_numbers(std::size_t rows) {
  return round_up(std::min(yax_most_tiles, rows), 16);
}

/// Rows of a tile: those that a team has at once. Where one thread has a row, several times as
/// many, as long as tiles fill the machine.
template <class Exec>
std::size_t yax_tile_rows(const one::RowPlan& plan, std::size_t rows, std::size_t columns,
                          std::size_t element_bytes) {
  constexpr std::size_t enough = 1024, tile_bytes = 131072;
  const std::size_t at_once = plan.rows_per_team, row_bytes = columns * element_bytes + 1;
  const std::size_t wanted =
      std::min(tile_bytes / row_bytes, ceil_div(rows, enough)) / at_once * at_once;
  return std::max({at_once, wanted, round_up(ceil_div(rows, yax_most_tiles), at_once)});
}

/// The memory of a call: a counter, up to yax_most_tiles numbers of tiles, and one::most_pieces()
/// of pieces.
template <class T>
struct YaxMemory {
  unsigned* arrived;
  T *tiles, *pieces;
};

/// Launches the kernels; asynchronous on `exec`.
template <class Exec, class T, class Term>
void yax_team(const Exec& exec, const MatrixRows<T>& a, bool aligned, const Term& term,
              const T* weight, const YaxMemory<T>& memory, T* result) {
  const one::RowPlan plan = one::plan_rows<Exec>(a.rows, a.columns, sizeof(T));
  if (plan.pieces > 1) {
    one::sum_pieces("ado::yax::pieces[team]", exec, a, a.rows, a.columns, aligned, term, plan,
                    memory.pieces);
    const MatrixRows<T> of_pieces{memory.pieces, a.rows, plan.pieces, plan.pieces};
    return yax_team(exec, of_pieces, false, one::Itself(), weight, memory, result);
  }
  const std::size_t height = yax_tile_rows<Exec>(plan, a.rows, a.columns, sizeof(T));
  const std::size_t tiles = std::max<std::size_t>(1, ceil_div(a.rows, height));
  one::with_lanes_and_pack<Exec, T>(plan, aligned, [&](auto lanes, auto pack) {
    Kokkos::parallel_for("ado::yax[team]",
                         // two sums, and room for who is last
                         summing_teams<T, 4>(exec, tiles, 3),
                         YaxTeam<Exec, lanes, decltype(pack), Term>{
                             a, term, weight, height, memory.tiles, memory.arrived, result});
  });
}

struct YaxTeamVariant {
  static constexpr std::string_view algorithm = "yax", name = "team";
  static constexpr std::string_view summary = "one body for all backends: packs, four rows at once";
  static constexpr std::array cures{Cause::few_teams, Cause::few_bytes};
  static constexpr TypeSet types = real_types;

  static std::vector<Access> accesses(const Shape& s, Type type, const Launch&) {
    return yax_accesses::row_per_warp(s, type);
  }
  template <class Exec>
  static void run(const Exec& exec, const Call& call) {
    with_real_type(call.type, [&](auto zero) {
      using T = decltype(zero);
      const Array& a = call.arrays[1];
      const MatrixRows<T> rows{a.as<const T>(), a.extent[0], a.extent[1], a.stride[0]};
      const T* const x = call.arrays[2].as<const T>();
      const bool aligned =
          aligned_to_pack(rows.data) && aligned_to_pack(x) && rows.ld % Pack<T>::size == 0;
      Workspace<Exec> workspace(call.workspace, workspace_bytes(call.shape, call.type),
                                ZeroCounter{});
      const auto [arrived, tiles] = workspace.template counted<T>(exec);
      yax_team(exec, rows, aligned, one::Times<T>{x}, call.arrays[0].as<const T>(),
               YaxMemory<T>{arrived, tiles, tiles + yax_tile_numbers(rows.rows)},
               call.arrays[3].as<T>());
    });
  }
  /// As a program's Workspace is after its first call.
  template <class Exec>
  static void prepare(const Exec& exec, const Call& call) {
    Workspace<Exec> workspace(call.workspace, workspace_bytes(call.shape, call.type));
    workspace.template counted<char>(exec);
  }
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    return counted_bytes +
           (one::most_pieces(s[1], size_of(type)) + yax_tile_numbers(s[0])) * size_of(type);
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type) {
    return with_real_type(type, [&](auto zero) {
      return 2 + steps<Exec, decltype(zero)>(s[0], s[1]); // each term has two factors
    });
  }

private:
  template <class Exec, class T>
  static double tile_steps(std::size_t tiles) {
    using C = one::Constants<Exec>;
    return one::row_steps(tiles, C::team_threads, C::pack_bytes / sizeof(T));
  }
  template <class Exec, class T>
  static double steps(std::size_t rows, std::size_t columns) {
    const one::RowPlan plan = one::plan_rows<Exec>(rows, columns, sizeof(T));
    const double row = one::row_steps<Exec, T>(plan.piece_length, plan.lanes);
    if (plan.pieces > 1) return row + steps<Exec, T>(rows, plan.pieces);
    const std::size_t height = yax_tile_rows<Exec>(plan, rows, columns, sizeof(T));
    const std::size_t tiles = ceil_div(rows, height);
    return row + one::team_steps<Exec>(std::min(rows, height), plan.lanes) +
           (tiles > 1 ? tile_steps<Exec, T>(tiles) : 0);
  }
};
const PortableVariant<YaxTeamVariant> yax_team_registered{__FILE__};

} // namespace ado::bench
