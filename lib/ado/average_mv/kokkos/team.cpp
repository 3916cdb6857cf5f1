// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, kokkos, team: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m])
//   mapping   two kernels. Means: team: some vectors of the sets of a panel; thread: one, or four at once; lanes: packs of a
//             vector. Product: team: rows of y for a panel; thread: a few rows; lanes: packs of the panel's sets
//   scratch   none; workspace: the means, in panels: those of neighbouring sets stand side by side
//   bytes     reads v once, writes and reads the means once, and a once for each panel, from a cache
//   needs     nothing; a GPU reads packs of 16 bytes if v, a and each of their rows start on a 16-byte boundary
//   teaches   one body for every backend: sums of the product stay in registers, and each pack of means serves several
//             rows of a. `tuned` has tensor cores, and for CPUs a product of its own
#include <ado/average/call_vectors.hpp>
#include <ado/average/detail/piece_sums.hpp>
#include <ado/average_mv/accesses.hpp>
#include <ado/portable/row_sum_steps.hpp>
#include <ado/portable/variant.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace ado {

/// Of each set that a team averages: indices of all its vectors have 16 bits.
inline constexpr std::size_t most_panel_vectors = 1024;

/// Means in panels of `width` sets: that of vector l of a panel's set k is at (panel * length + l) * width + k.
template <class Exec, int lanes, class P, std::size_t width>
struct PanelMeans {
  using T = typename P::Number;
  using Member = typename Teams<Exec, 4>::member_type;

  VectorsRef<T> v;
  T divisor;
  /// Teams of a panel, and vectors that each has of every set.
  std::size_t across, vectors;
  T* panels;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t panel = team.league_rank() / across;
    const std::size_t l0 = (team.league_rank() - panel * across) * vectors;
    const std::size_t sets = Kokkos::min(width, v.sets - panel * width);
    const std::size_t count = Kokkos::min(vectors, v.length - l0);
    // A division would take longer than a short row.
    const std::uint64_t inverse = (std::uint64_t{1} << 32) / count + 1;
    const auto set_of = [&](std::size_t i) { return std::size_t(i * inverse >> 32); };
    T* const to = panels + (panel * v.length + l0) * width;
    one::sum_rows<lanes, P>(
        team, sets * count,
        [&](std::size_t i) {
          const std::size_t k = set_of(i);
          return one::Row<T>{v.vector(panel * width + k, l0 + i - k * count)};
        },
        v.count, one::Itself(),
        [&](std::size_t i, std::size_t apart, const auto& sums) {
          const auto means = sums / std::decay_t<decltype(sums)>::of(divisor);
          Kokkos::single(Kokkos::PerThread(team), [&] {
            ADO_REGISTERS
            for (int r = 0; r < means.size; ++r) {
              const std::size_t k = set_of(i + r * apart);
              to[(i + r * apart - k * count) * width + k] = means.get(r);
            }
          });
        });
  }
};

/// y = a * means for `high` rows of y and `wide` packs of sets a thread. A: the pack in which a row of a is read.
template <class Exec, class P, class A, int high, int wide, int across>
struct PanelProduct {
  using T = typename P::Number;
  using C = one::Constants<Exec>;
  using Member = typename Teams<Exec, 2>::member_type;
  static constexpr int down = C::team_threads / across; ///< threads below each other
  static constexpr std::size_t width = std::size_t{across} * wide * P::size;
  /// Columns of a that a team brings to scratch at once, with the means that belong to them; 0: none. Rows lie a pack
  /// further apart, so that threads meet different banks.
  static constexpr int staged = C::product_staged_bytes / sizeof(T), pitch = staged + P::size;
  static constexpr std::size_t scratch_bytes =
      staged == 0 ? 0 : (std::size_t{down} * high * pitch + staged * width) * sizeof(T);

  std::size_t length, sets;
  const T* a;
  std::size_t lda;
  const T* panels;
  T* y;
  std::size_t ldy;
  std::size_t teams, rows_per_team; ///< teams of a panel

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t panel = team.league_rank() / teams;
    const std::size_t i0 = (team.league_rank() - panel * teams) * rows_per_team;
    const std::size_t end = Kokkos::min(i0 + rows_per_team, length);
    const T* const means = panels + panel * length * width;
    const int below = team.team_rank() / across, k = team.team_rank() % across * (wide * P::size);
    if constexpr (staged > 0) {
      const std::size_t i = i0 + below;
      P sum[high][wide] = {};
      add_by_stages(team, i0, means, below, k, sum);
      store(i, panel * width + k, sum);
    } else {
      for (std::size_t i = i0 + below; i < end; i += down * high) {
        P sum[high][wide] = {};
        const T* row[high];
        ADO_REGISTERS
        for (int r = 0; r < high; ++r)
          row[r] = a + Kokkos::min(i + r * down, length - 1) * lda;
        add<A>(row, means + k, length, sum);
        store(i, panel * width + k, sum);
      }
    }
  }

private:
  /// Adds the products of n columns of some rows with their means.
  template <class Factors>
  KOKKOS_FUNCTION static void add(const T* const (&row)[high], const T* means, std::size_t n,
                                  P (&sum)[high][wide]) {
    std::size_t j = 0;
    for (; j + Factors::size <= n; j += Factors::size, means += Factors::size * width)
      add_columns<Factors>(row, j, means, sum);
    if constexpr (Factors::size > 1)
      for (; j < n; ++j, means += width)
        add_columns<one::Pack<T, 1>>(row, j, means, sum);
  }
  template <class Factors>
  KOKKOS_FORCEINLINE_FUNCTION static void add_columns(const T* const (&row)[high], std::size_t j,
                                                      const T* means, P (&sum)[high][wide]) {
    Factors factors[high];
    ADO_REGISTERS
    for (int r = 0; r < high; ++r)
      factors[r] = one::load<Factors>(row[r] + j);
    ADO_REGISTERS
    for (int c = 0; c < Factors::size; ++c) {
      P mean[wide];
      ADO_REGISTERS
      for (int p = 0; p < wide; ++p)
        mean[p] = one::load<P>(means + c * width + p * P::size);
      ADO_REGISTERS
      for (int r = 0; r < high; ++r)
        ADO_REGISTERS
      for (int p = 0; p < wide; ++p)
        sum[r][p] += P::of(factors[r].get(c)) * mean[p];
    }
  }
  /// Row r of a thread is `down` rows below the one before. A row that is not there is not stored.
  KOKKOS_FUNCTION void store(std::size_t i, std::size_t set, const P (&sum)[high][wide]) const {
    ADO_REGISTERS
    for (int r = 0; r < high; ++r)
      if (i + r * down < length) store(y + (i + r * down) * ldy, set, sum[r]);
  }
  KOKKOS_FUNCTION void store(T* to, std::size_t n, const P (&sum)[wide]) const {
    ADO_REGISTERS
    for (int p = 0; p < wide; ++p)
      ADO_REGISTERS
    for (int c = 0; c < P::size; ++c)
      if (const std::size_t set = n + p * P::size + c; set < sets) to[set] = sum[p].get(c);
  }

  /// Packs that each thread of a team brings of a, and of the means, in a stage.
  static constexpr int of_a = down * high * staged / A::size / C::team_threads;
  static constexpr int of_means = staged * int(width) / P::size / C::team_threads;
  struct Stage {
    A a[of_a > 0 ? of_a : 1];
    P means[of_means > 0 ? of_means : 1];
  };
  /// The team's threads bring stage after stage to scratch, the next one to registers meanwhile.
  KOKKOS_FUNCTION void add_by_stages(const Member& team, std::size_t i0, const T* means, int below,
                                     int k, P (&sum)[high][wide]) const {
    auto* const tile = static_cast<T*>(aligned_scratch(team, scratch_bytes));
    T* const of_stage = tile + down * high * pitch;
    const T* row[high];
    ADO_REGISTERS
    for (int r = 0; r < high; ++r)
      row[r] = tile + (below + r * down) * pitch;
    Stage next = load_stage(team, i0, 0, means);
    for (std::size_t j0 = 0; j0 < length; j0 += staged) {
      keep_stage(team, next, tile, of_stage);
      team.team_barrier();
      if (j0 + staged < length) next = load_stage(team, i0, j0 + staged, means);
      add<P>(row, of_stage + k, Kokkos::min(length - j0, std::size_t{+staged}), sum);
      team.team_barrier();
    }
  }
  /// Pack t of a stage of a: its row, and its first column.
  KOKKOS_FUNCTION static int row_of(int t) { return t / (staged / A::size); }
  KOKKOS_FUNCTION static int column_of(int t) { return t % (staged / A::size) * A::size; }

  KOKKOS_FUNCTION Stage load_stage(const Member& team, std::size_t i0, std::size_t j0,
                                   const T* means) const {
    Stage stage{};
    ADO_UNROLL
    for (int u = 0; u < of_a; ++u) {
      const int t = team.team_rank() + u * C::team_threads;
      const std::size_t j = j0 + column_of(t);
      const T* const row = a + Kokkos::min(i0 + row_of(t), length - 1) * lda;
      if (j + A::size <= length)
        stage.a[u] = one::load<A>(row + j);
      else if (j < length)
        stage.a[u] = one::load_rest<A>(row, j, length);
    }
    ADO_UNROLL
    for (int u = 0; u < of_means; ++u) {
      const std::size_t at = (team.team_rank() + u * C::team_threads) * P::size;
      if (j0 * width + at < length * width) stage.means[u] = one::load<P>(means + j0 * width + at);
    }
    return stage;
  }
  KOKKOS_FUNCTION static void keep_stage(const Member& team, const Stage& stage, T* tile,
                                         T* means) {
    ADO_UNROLL
    for (int u = 0; u < of_a; ++u) {
      const int t = team.team_rank() + u * C::team_threads;
      one::store(tile + row_of(t) * pitch + column_of(t), stage.a[u]);
    }
    ADO_UNROLL
    for (int u = 0; u < of_means; ++u)
      one::store(means + (team.team_rank() + u * C::team_threads) * P::size, stage.means[u]);
  }
};

/// The product's registers: packs, rows a thread, packs a thread, threads side by side.
template <class Exec, class T>
struct ProductRegisters {
  using C = one::Constants<Exec>;
  using P = one::Pack<T, C::product_pack_bytes / sizeof(T)>;
  static constexpr int wide = C::product_packs, across = C::product_across;
  static constexpr std::size_t width = std::size_t{across} * wide * P::size;
  template <int high, class A>
  using Product = PanelProduct<Exec, P, A, high, wide, across>;
};

/// Launches the kernels; asynchronous on `exec`.
template <class Exec, class T>
void average_mv_team(const Exec& exec, const VectorsRef<T>& v, const T* a, std::size_t lda, T* y,
                     std::size_t ldy, T* workspace) {
  using Registers = ProductRegisters<Exec, T>;
  using C = one::Constants<Exec>;
  constexpr std::size_t width = Registers::width;
  const std::size_t panels = ceil_div(v.sets, width);
  if (v.sets == 0 || v.length == 0) return;
  T* const means = workspace + one::most_pieces(v.count, sizeof(T));
  const auto divide = [&](const VectorsRef<T>& of, const one::RowPlan& plan) {
    // Neighbours in memory are read by one team; their means then fill whole lines of a panel.
    const std::size_t row_bytes = of.count * sizeof(T) + 1;
    const std::size_t wanted =
        std::max(plan.rows_per_team / std::min(width, v.sets), C::panel_bytes / row_bytes);
    const std::size_t across =
        ceil_div(v.length, std::clamp<std::size_t>(wanted, 4, most_panel_vectors));
    one::with_lanes_and_pack<Exec, T>(plan, of.wide(), [&](auto lanes, auto pack) {
      Kokkos::parallel_for("ado::average_mv::means[team]", teams<4>(exec, panels * across, lanes),
                           PanelMeans<Exec, lanes, decltype(pack), width>{
                               of, T(v.count), across, ceil_div(v.length, across), means});
    });
  };
  with_pieces_summed("ado::average_mv::pieces[team]", exec, v, workspace, divide);
  const auto multiply = [&](auto high, auto factors) {
    using Product = typename Registers::template Product<high, decltype(factors)>;
    const std::size_t rows_per_team =
        high * std::max(std::size_t{Product::down}, C::product_rows / high);
    const std::size_t of_panel = ceil_div(v.length, rows_per_team);
    auto policy = teams<2>(exec, panels * of_panel);
    set_scratch(policy, 0, Product::scratch_bytes + 16);
    Kokkos::parallel_for("ado::average_mv::product[team]", policy,
                         Product{v.length, v.sets, a, lda, means, y, ldy, of_panel, rows_per_team});
  };
  // Few teams with many rows would leave most of a GPU idle.
  constexpr int most = C::product_high, least = most / 4;
  const std::size_t rows_of_most = std::size_t{most} * (C::team_threads / Registers::across);
  const bool many = panels * ceil_div(v.length, rows_of_most) >= C::product_teams;
  with_constant<most, least>(many && v.length > most / 2 ? most : least, [&](auto high) {
    const bool aligned = aligned_to_pack(a) && lda * sizeof(T) % 16 == 0;
    if constexpr (C::product_staged_bytes > 0)
      if (aligned) return multiply(high, one::Pack<T, 16 / sizeof(T)>{});
    multiply(high, one::Pack<T, 1>{});
  });
}

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
      average_mv_team(exec, vectors_of<T>(call), a.as<const T>(), a.stride[0], y.as<T>(),
                      y.stride[0], static_cast<T*>(call.workspace));
    });
  }
  /// For the widest panels of any backend.
  static std::size_t workspace_bytes(const Shape& s, Type type) {
    constexpr std::size_t widest = 64;
    const std::size_t sets = round_up(s[0], widest);
    return checked_product({sets, s[1], size_of(type)}, "average_mv: workspace") +
           one::most_pieces(s[2], size_of(type)) * size_of(type);
  }
  template <class Exec>
  static double rounding_steps(const Shape& s, Type type) {
    return with_real_type(type, [&](auto zero) {
      using T = decltype(zero);
      const std::size_t rows = s[0] * s[1];
      // A sum, a division, and a chain of products that are added, each rounded at most twice.
      return one::row_steps<Exec, T>(one::plan_rows<Exec>(rows, s[2], sizeof(T)), rows) + 1 +
             double(s[1]) + 1;
    });
  }
};
const PortableVariant<AverageMvTeamVariant> average_mv_team_registered{__FILE__};

} // namespace ado
