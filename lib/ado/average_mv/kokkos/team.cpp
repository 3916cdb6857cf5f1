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

/// y = a * means for `high` rows of y a thread and `wide` packs a lane. A: the pack in which a row of a is read.
template <class Exec, class P, class A, int high, int wide, int lanes>
struct PanelProduct {
  using T = typename P::Number;
  using Member = typename Teams<Exec, 2>::member_type;
  static constexpr std::size_t width = std::size_t{lanes} * wide * P::size;

  std::size_t length, sets;
  const T* a;
  std::size_t lda;
  const T* panels;
  T* y;
  std::size_t ldy;
  std::size_t across, rows_per_team; ///< teams of a panel

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t panel = team.league_rank() / across;
    const std::size_t i0 = (team.league_rank() - panel * across) * rows_per_team;
    const std::size_t rows = Kokkos::min(rows_per_team, length - i0);
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, (rows + high - 1) / high), [&](std::size_t group) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, lanes), [&](int lane) {
            multiply(i0 + group * high, panel, std::size_t(lane) * wide * P::size);
          });
        });
  }

private:
  /// Rows from i on, sets from k of the panel on. A row that is not there is the last one, and is not stored.
  KOKKOS_FUNCTION void multiply(std::size_t i, std::size_t panel, std::size_t k) const {
    const T* row[high];
    ADO_REGISTERS
    for (int r = 0; r < high; ++r)
      row[r] = a + Kokkos::min(i + r, length - 1) * lda;
    const T* means = panels + panel * length * width + k;
    P sum[high][wide] = {};
    std::size_t j = 0;
    for (; j + A::size <= length; j += A::size, means += A::size * width)
      add<A>(row, j, means, sum);
    for (; j < length; ++j, means += width)
      add<one::Pack<T, 1>>(row, j, means, sum);
    ADO_REGISTERS
    for (int r = 0; r < high; ++r)
      if (i + r < length) store(y + (i + r) * ldy, panel * width + k, sum[r]);
  }
  template <class Factors>
  KOKKOS_FUNCTION void add(const T* const (&row)[high], std::size_t j, const T* means,
                           P (&sum)[high][wide]) const {
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
  KOKKOS_FUNCTION void store(T* to, std::size_t n, const P (&sum)[wide]) const {
    ADO_REGISTERS
    for (int p = 0; p < wide; ++p)
      ADO_REGISTERS
    for (int c = 0; c < P::size; ++c)
      if (const std::size_t set = n + p * P::size + c; set < sets) to[set] = sum[p].get(c);
  }
};

/// The product's registers: packs, rows a thread, packs a lane, lanes.
template <class Exec, class T>
struct ProductRegisters {
  using C = one::Constants<Exec>;
  using P = one::Pack<T, C::product_pack_bytes / sizeof(T)>;
  static constexpr int wide = C::product_packs, lanes = C::product_lanes;
  static constexpr std::size_t width = std::size_t{lanes} * wide * P::size;
  template <int high, class A>
  using Product = PanelProduct<Exec, P, A, high, wide, lanes>;
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
  T* const means = workspace + one::most_pieces;
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
    const std::size_t threads = C::team_threads / Registers::lanes;
    const std::size_t rows_per_team = high * std::max(threads, C::product_rows / high);
    const std::size_t across = ceil_div(v.length, rows_per_team);
    Kokkos::parallel_for("ado::average_mv::product[team]",
                         teams<2>(exec, panels * across, Registers::lanes),
                         typename Registers::template Product<high, decltype(factors)>{
                             v.length, v.sets, a, lda, means, y, ldy, across, rows_per_team});
  };
  with_constant<C::product_high, C::product_high / 4>(
      v.length > C::product_high / 2 ? C::product_high : C::product_high / 4, [&](auto high) {
        const bool aligned = aligned_to_pack(a) && lda * sizeof(T) % 16 == 0;
        if constexpr (!C::is_host)
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
           one::most_pieces * size_of(type);
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
