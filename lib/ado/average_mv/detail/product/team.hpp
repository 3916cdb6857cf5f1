// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The product of `team`, whose card is kokkos/team.cpp. Begin at the end, with multiply_team():
// rows of a and the means of a set lie along the sum, so y(i, n) is a dot product of two rows.
#pragma once

#include <ado/core/checks.hpp>
#include <ado/portable/row_sum_steps.hpp>
#include <ado/portable/row_sums.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

namespace ado::detail {

/// y(i, n) = sum over j of a(i, j) * means(n, j), for i, j < length and n < sets.
template <class T>
struct RowProducts {
  const T* a;
  std::size_t lda;
  const T* means;
  std::size_t ldm;
  T* y;
  std::size_t ldy;
  std::size_t length, sets;

  /// A row beyond the end is the last one, so that it can be read.
  KOKKOS_FUNCTION const T* row(std::size_t i) const { return a + Kokkos::min(i, length - 1) * lda; }
  KOKKOS_FUNCTION const T* set(std::size_t n) const {
    return means + Kokkos::min(n, sets - 1) * ldm;
  }
};

/// Elements from one set's means to the next: whole packs of 16 bytes.
template <class T>
std::size_t means_apart(std::size_t length) {
  return round_up(length, std::size_t{16} / sizeof(T));
}

/// Elements of y that a thread has at once: rows i, i + down, ... of the sets n, n + across, ...
template <class T, int high, int wide>
struct Tile {
  T of[high][wide] = {};

  /// The first of `lanes` neighbours gets the sums of all. Whole teams must call it.
  template <int lanes, class Team>
  KOKKOS_FUNCTION void add_lanes(const Team& team, T* scratch) {
    if constexpr (lanes > 1) {
      ADO_REGISTERS
      for (int r = 0; r < high; ++r)
        ADO_REGISTERS
      for (int s = 0; s < wide; ++s) {
        before_next_sum(team);
        of[r][s] = neighbours_sum<lanes>(team, of[r][s], scratch);
      }
    }
  }
  /// To y, or added to what y has. What lies beyond its end is left out.
  KOKKOS_FUNCTION void store(const RowProducts<T>& p, std::size_t i, std::size_t down,
                             std::size_t n, std::size_t across, bool add = false) const {
    ADO_REGISTERS
    for (int r = 0; r < high; ++r)
      ADO_REGISTERS
    for (int s = 0; s < wide; ++s)
      if (i + r * down < p.length && n + s * across < p.sets) {
        T& to = p.y[(i + r * down) * p.ldy + n + s * across];
        to = add ? to + of[r][s] : of[r][s];
      }
  }
};

/// sum += a * b: slot by slot, or the slots in turn.
template <class P>
KOKKOS_INLINE_FUNCTION void add_product(P& sum, const P& a, const P& b) {
  sum += a * b;
}
template <class T, int n>
KOKKOS_INLINE_FUNCTION void add_product(T& sum, const one::Pack<T, n>& a,
                                        const one::Pack<T, n>& b) {
  ADO_REGISTERS
  for (int c = 0; c < n; ++c)
    sum += a.get(c) * b.get(c);
}

/// Lanes that share a row.
template <class Exec>
int product_lanes(std::size_t length, std::size_t element_bytes) {
  return one::Constants<Exec>::vector_lanes == 1 ? 1 : length * element_bytes < 512 ? 4 : 32;
}

/// Whether rows are so long that the widest packs pay.
template <class Exec, class T>
bool fills_widest_packs(std::size_t length) {
  return length * sizeof(T) >= 4 * one::Constants<Exec>::widest_pack_bytes;
}

/// Numbers of a row that a team multiplies before it goes on: they stay near a core. A multiple of
/// any pack.
template <class Exec, class T>
inline constexpr std::size_t product_part = one::Constants<Exec>::product_part_bytes / sizeof(T);

/// Tiles of y, each by so many neighbours of a team.
template <class Exec, int lanes, class P>
struct ProductByLanes {
  using T = typename P::Number;
  using C = one::Constants<Exec>;
  using Sum = std::conditional_t<C::product_sums_slots, P, T>;
  using Member = typename Teams<Exec, 2>::member_type;
  static constexpr int high = C::product_high, wide = C::product_wide;

  RowProducts<T> p;
  unsigned down, across; ///< tiles of a team
  std::size_t teams_across;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t strip = team.league_rank() / teams_across;
    const std::size_t i0 = strip * down * high;
    const std::size_t n0 = (team.league_rank() - strip * teams_across) * across * wide;
    const auto rows = unsigned(Kokkos::min<std::size_t>(down, (p.length - i0 + high - 1) / high));
    const auto sets = unsigned(Kokkos::min<std::size_t>(across, (p.sets - n0 + wide - 1) / wide));
    const unsigned group = unsigned(team.team_rank()) / lanes, lane = team.team_rank() % lanes;
    T* const scratch = scratch_of<T, C::team_threads>(team);
    for (std::size_t j = 0; j < p.length; j += product_part<Exec, T>)
      for (unsigned first = 0; first < rows * sets; first += C::team_threads / lanes) {
        const unsigned t = first + group;
        const std::size_t i = i0 + t / sets * high, n = n0 + t % sets * wide;
        const bool is_there = t < rows * sets;
        Tile<T, high, wide> tile;
        if (is_there) add_share(Index(lane), i, n, Index(j), tile);
        tile.template add_lanes<lanes>(team, scratch);
        if (is_there && lane == 0) tile.store(p, i, 1, n, 1, j > 0);
      }
  }

private:
  using Index = typename C::Index;

  template <class S>
  KOKKOS_FUNCTION static void add_to(T (&row)[wide], const S (&sum)[wide]) {
    ADO_REGISTERS
    for (int s = 0; s < wide; ++s)
      row[s] += sum[s];
  }
  KOKKOS_FUNCTION static void add_to(T (&row)[wide], const P (&sum)[wide]) {
    const auto sums = one::sums_of_slots(sum);
    ADO_REGISTERS
    for (int s = 0; s < wide; ++s)
      row[s] += sums.get(s);
  }
  /// Adds one lane's packs of the rows' part from j on.
  KOKKOS_FUNCTION void add_share(Index lane, std::size_t i, std::size_t n, Index j,
                                 Tile<T, high, wide>& tile) const {
    const T *row[high], *set[wide];
    ADO_REGISTERS
    for (int r = 0; r < high; ++r)
      row[r] = p.row(i + r);
    ADO_REGISTERS
    for (int s = 0; s < wide; ++s)
      set[s] = p.set(n + s);
    const Index length = Index(p.length), packs = length / P::size;
    const Index end = Kokkos::min(packs, Index(j + product_part<Exec, T>) / P::size);
    Sum sum[high][wide];
    ADO_REGISTERS
    for (int r = 0; r < high; ++r)
      ADO_REGISTERS
    for (int s = 0; s < wide; ++s)
      sum[r][s] = Sum{};
    const auto add = [&](const auto& read) {
      P of_a[high];
      ADO_REGISTERS
      for (int r = 0; r < high; ++r)
        of_a[r] = read(row[r]);
      ADO_REGISTERS
      for (int s = 0; s < wide; ++s) {
        const P mean = read(set[s]);
        ADO_REGISTERS
        for (int r = 0; r < high; ++r)
          add_product(sum[r][s], of_a[r], mean);
      }
    };
    ADO_UNROLL_BY(C::loads_in_flight(P::size) / 4)
    for (Index k = j / P::size + lane; k < end; k += lanes)
      add([&](const T* from) { return one::load<P>(from + k * P::size); });
    const bool rest = j + product_part<Exec, T> >= length && packs * P::size < length;
    if (P::size > 1 && rest && lane == packs % lanes) // what no pack holds
      add([&](const T* from) { return one::load_rest<P>(from, packs * P::size, length); });
    ADO_REGISTERS
    for (int r = 0; r < high; ++r)
      add_to(tile.of[r], sum[r]);
  }
};

/// How a large product is shared out: parts of 128 rows and 32 or 64 sets, and splits of the sum.
struct ProductParts {
  static constexpr std::size_t high = 8, across = 16, down = device_team_threads / across;
  static constexpr std::size_t rows = high * down;
  std::size_t wide;          ///< sets of a thread
  std::size_t parts, splits; ///< of y, and of the sum

  /// Of the sum: whole stages of `staged` numbers.
  std::size_t split_length(std::size_t length, std::size_t staged) const {
    return round_up(ceil_div(length, splits), staged);
  }
};
/// A function of the shape alone. None where they are too few to fill a machine that brings parts
/// to scratch.
inline std::optional<ProductParts> parts_of_product(std::size_t length, std::size_t sets) {
  constexpr std::size_t enough = 512, least = 48, least_length = 128;
  if (length == 0 || sets == 0) return {};
  const std::size_t wide = sets > 2 * ProductParts::across ? 4 : 2;
  const std::size_t parts =
      ceil_div(length, ProductParts::rows) * ceil_div(sets, wide * ProductParts::across);
  const std::size_t most_splits = std::max<std::size_t>(1, length / least_length);
  const std::size_t splits = std::clamp<std::size_t>(enough / parts, 1, most_splits);
  if (parts * splits < least) return {};
  return ProductParts{wide, parts, splits};
}
/// Numbers of the workspace, for any space.
inline std::size_t numbers_of_splits(std::size_t length, std::size_t sets) {
  const auto plan = parts_of_product(length, sets);
  return plan && plan->splits > 1 ? plan->splits * length * sets : 0;
}

/// A part of y by a team, which brings its rows of a, and its sets' means, to scratch stage by
/// stage: `staged` numbers of each row, the next stage to registers meanwhile. aligned: packs can
/// read rows of a.
template <class Exec, class P, int wide, bool aligned>
struct ProductByStages {
  using T = typename P::Number;
  using C = one::Constants<Exec>;
  using Member = typename Teams<Exec, 2>::member_type;
  static constexpr int high = ProductParts::high, across = ProductParts::across;
  static constexpr int down = ProductParts::down, rows = ProductParts::rows, sets = across * wide;
  static constexpr int staged = C::product_staged_bytes / sizeof(T);
  /// From row to row of scratch: a pack more, so that threads meet different banks.
  static constexpr int pitch = staged + P::size;
  static constexpr std::size_t scratch_bytes = (rows + sets) * pitch * sizeof(T);

  RowProducts<T> p;
  std::size_t parts, teams_across, split_length;
  T* split_sums; ///< of one split after the other; null: y

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const std::size_t split = team.league_rank() / parts, part = team.league_rank() - split * parts;
    const std::size_t strip = part / teams_across, i0 = strip * rows;
    const std::size_t n0 = (part - strip * teams_across) * sets;
    const std::size_t end = Kokkos::min((split + 1) * split_length, p.length);
    auto* const of_a = static_cast<T*>(aligned_scratch(team, scratch_bytes));
    T* const of_means = of_a + rows * pitch;
    const int below = team.team_rank() / across, beside = team.team_rank() % across;
    Tile<T, high, wide> tile;
    Stage next = load_stage(team, i0, n0, split * split_length, end);
    for (std::size_t j = split * split_length; j < end; j += staged) {
      keep_stage(team, next, of_a);
      team.team_barrier();
      if (j + staged < end) next = load_stage(team, i0, n0, j + staged, end);
      ADO_UNROLL_BY(1)
      for (int k = 0; k < staged; k += P::size)
        add(of_a + below * pitch + k, of_means + beside * pitch + k, tile);
      team.team_barrier();
    }
    RowProducts<T> to = p;
    if (split_sums != nullptr) to.y = split_sums + split * p.length * p.sets, to.ldy = p.sets;
    tile.store(to, i0 + below, down, n0 + beside, across);
  }

private:
  KOKKOS_FUNCTION static void add(const T* of_a, const T* of_means, Tile<T, high, wide>& tile) {
    P mean[wide];
    ADO_REGISTERS
    for (int s = 0; s < wide; ++s)
      mean[s] = one::load<P>(of_means + s * across * pitch);
    ADO_REGISTERS
    for (int r = 0; r < high; ++r) {
      const P factor = one::load<P>(of_a + r * down * pitch);
      ADO_REGISTERS
      for (int s = 0; s < wide; ++s)
        add_product(tile.of[r][s], factor, mean[s]);
    }
  }
  /// Packs that a thread brings in a stage, of rows of a and then of sets.
  static constexpr int in_row = staged / P::size, each = (rows + sets) * in_row / C::team_threads;
  struct Stage {
    P pack[each];
  };
  KOKKOS_FUNCTION Stage load_stage(const Member& team, std::size_t i0, std::size_t n0,
                                   std::size_t j0, std::size_t end) const {
    Stage stage;
    ADO_UNROLL
    for (int u = 0; u < each; ++u) {
      const int t = team.team_rank() + u * C::team_threads, at = t / in_row;
      const std::size_t j = j0 + t % in_row * P::size;
      stage.pack[u] = at < rows ? load_part<aligned>(p.row(i0 + at), j, end)
                                : load_part<true>(p.set(n0 + at - rows), j, end);
    }
    return stage;
  }
  /// Numbers j and behind of a row, zeros from `end` on.
  template <bool whole>
  KOKKOS_FUNCTION static P load_part(const T* row, std::size_t j, std::size_t end) {
    if (whole && j + P::size <= end) return one::load<P>(row + j);
    P part{};
    ADO_UNROLL
    for (int c = 0; c < P::size; ++c)
      if (j + c < end) part.set(c, row[j + c]);
    return part;
  }
  KOKKOS_FUNCTION static void keep_stage(const Member& team, const Stage& stage, T* to) {
    ADO_UNROLL
    for (int u = 0; u < each; ++u) {
      const int t = team.team_rank() + u * C::team_threads;
      one::store(to + t / in_row * pitch + t % in_row * P::size, stage.pack[u]);
    }
  }
};

/// y = the sum of all splits, in their order.
template <class T>
struct AddSplits {
  RowProducts<T> p;
  const T* split_sums;
  std::size_t splits;

  KOKKOS_FUNCTION void operator()(std::int64_t index) const {
    const std::size_t at = static_cast<std::size_t>(index), i = at / p.sets;
    T sum = split_sums[at];
    for (std::size_t k = 1; k < splits; ++k)
      sum += split_sums[k * p.length * p.sets + at];
    p.y[i * p.ldy + at - i * p.sets] = sum;
  }
};

/// Launches the kernels; asynchronous on `exec`. `split_sums` holds numbers_of_splits() numbers.
template <class Exec, class T>
void multiply_by_stages(const Exec& exec, const RowProducts<T>& p, const ProductParts& plan,
                        bool aligned, T* split_sums) {
  const auto launch = [&](auto wide, auto whole) {
    using Kernel = ProductByStages<Exec, one::Pack<T, 16 / sizeof(T)>, wide, whole>;
    const std::size_t length = plan.split_length(p.length, Kernel::staged);
    auto policy = teams<2>(exec, plan.parts * ceil_div(p.length, length));
    set_scratch(policy, 0, Kernel::scratch_bytes + 16);
    Kokkos::parallel_for("ado::average_mv::product[team]", policy,
                         Kernel{p, plan.parts, ceil_div(p.sets, std::size_t{Kernel::sets}), length,
                                plan.splits > 1 ? split_sums : nullptr});
    if (plan.splits > 1)
      Kokkos::parallel_for("ado::average_mv::splits[team]", threads(exec, p.length * p.sets),
                           AddSplits<T>{p, split_sums, ceil_div(p.length, length)});
  };
  with_constant<2, 4>(int(plan.wide), [&](auto wide) {
    aligned ? launch(wide, std::true_type()) : launch(wide, std::false_type());
  });
}

/// The same, of any size.
template <class Exec, class T>
void multiply_team(const Exec& exec, const RowProducts<T>& p, T* split_sums) {
  using C = one::Constants<Exec>;
  if (p.sets == 0 || p.length == 0) return;
  const bool aligned = aligned_to_pack(p.a) && p.lda % Pack<T>::size == 0;
  if constexpr (C::product_staged_bytes > 0)
    if (const auto plan = parts_of_product(p.length, p.sets))
      return multiply_by_stages(exec, p, *plan, aligned, split_sums);
  const auto by_lanes = [&](auto lanes, auto pack) {
    using Kernel = ProductByLanes<Exec, lanes, decltype(pack)>;
    const std::size_t high = ceil_div(p.length, std::size_t{Kernel::high});
    const std::size_t wide = ceil_div(p.sets, std::size_t{Kernel::wide});
    const std::size_t tiles =
        C::product_tiles == 0
            ? C::team_threads / lanes
            : std::clamp<std::size_t>(high * wide / C::enough_tasks, 1, C::product_tiles);
    const std::size_t across = std::min({wide, tiles, +C::product_across});
    const std::size_t down = std::min(high, tiles / across), teams_across = ceil_div(wide, across);
    Kokkos::parallel_for("ado::average_mv::product[team]",
                         summing_teams<T, 2>(exec, ceil_div(high, down) * teams_across),
                         Kernel{p, unsigned(down), unsigned(across), teams_across});
  };
  const auto with_lanes = [&](auto pack) {
    if constexpr (C::vector_lanes == 1)
      by_lanes(std::integral_constant<int, 1>(), pack);
    else
      with_constant<4, 32>(product_lanes<Exec>(p.length, sizeof(T)),
                           [&](auto lanes) { by_lanes(lanes, pack); });
  };
  if (fills_widest_packs<Exec, T>(p.length))
    one::with_pack<Exec, T, C::widest_pack_bytes>(p.length, aligned, with_lanes);
  else
    one::with_pack<Exec, T>(p.length, aligned, with_lanes);
}

/// Additions of n products by lanes in packs of `size`, without the one to zero, and the rounding
/// of the first.
template <class Exec>
double product_steps(std::size_t n, std::size_t lanes, std::size_t size) {
  if (one::Constants<Exec>::product_sums_slots) return 1 + one::row_steps(n, lanes, size);
  const std::size_t packs = ceil_div(n, size); // whose slots are added in turn
  return double(std::min(n, ceil_div(packs, lanes) * size)) + tree_depth(std::min(packs, lanes));
}
/// Of the whole product; the most of any alignment.
template <class Exec, class T>
double multiply_steps(std::size_t length, std::size_t sets) {
  using C = one::Constants<Exec>;
  if (length == 0 || sets == 0) return 1;
  if (const auto plan = parts_of_product(length, sets); plan && C::product_staged_bytes > 0) {
    const std::size_t split = plan->split_length(length, C::product_staged_bytes / sizeof(T));
    return double(std::min(split, length) + ceil_div(length, split) - 1);
  }
  constexpr std::size_t part = product_part<Exec, T>, most = C::pack_bytes / sizeof(T);
  const std::size_t n = std::min(length, part), lanes = product_lanes<Exec>(length, sizeof(T));
  const double parts = double(ceil_div(length, part) - 1);
  if (!C::packs_begin_anywhere)
    return parts + std::max(product_steps<Exec>(n, lanes, 1), product_steps<Exec>(n, lanes, most));
  const std::size_t size = fills_widest_packs<Exec, T>(length) ? C::widest_pack_bytes / sizeof(T)
                           : length < most                     ? 1
                                                               : most;
  return parts + product_steps<Exec>(n, lanes, size);
}

} // namespace ado::detail
