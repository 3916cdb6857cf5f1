// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Product of average_mv on a GPU: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   league: tiles of y in registers, summed by a team's threads (fma.hpp) or, if there
//             are any, by its warps' tensor cores (mma.hpp). Split-K where tiles are few: a warp
//             for each split of the columns of a (from_memory.hpp), or a team
//   scratch   two or three stages of 128 or 256 bytes of every row of a and of mean that the tile
//             needs: one is used while the next ones are copied (stages.hpp)
//   bytes     reads a and mean once per row or column of tiles, from cache; writes y once, and
//             before that the sums of all splits
#pragma once

#include <ado/average_mv/detail/product/fma.hpp>
#include <ado/average_mv/detail/product/from_memory.hpp>
#include <ado/average_mv/detail/product/mma.hpp>
#include <ado/average_mv/detail/product/plan.hpp>
#include <ado/average_mv/detail/product/stages.hpp>
#include <ado/portable/async_copy.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/pack.hpp>
#include <ado/portable/tensor_cores.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace ado::detail::device_product {

template <class Tile, bool shifted, class T>
using SumsOf = std::conditional_t<Tile::by == By::mma, MmaSums<Tile, shifted, T>, FmaSums<Tile, T>>;

/// aligned: rows of a and of mean are on_boundaries().
template <class Exec, class T, class Tile, bool aligned>
struct ProductByTiles {
  using Policy = Teams<Exec, Tile::template resident_teams<T>, Tile::threads>;
  using Member = typename Policy::member_type;
  using Stage = product_plan::Stage<Tile, T>;
  static constexpr int stage_count = Tile::stage_count;
  static constexpr std::size_t scratch_bytes = stage_count * sizeof(Stage);
  /// Copies of 4 bytes are slow, so floats take packs of 16 bytes, also from boundaries where no
  /// row begins. Doubles would read scratch with conflicts then, and copies of 8 bytes cost less.
  static constexpr bool shifted = !aligned && Tile::by == By::mma && sizeof(T) == 4;

  Product<T> p;
  unsigned splits = 1; ///< teams of each tile

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    void* const scratch = team.team_scratch(0).get_shmem_aligned(std::size_t{scratch_bytes}, 16);
    auto* const stages = static_cast<Stage*>(scratch);
    const auto tiles_down = static_cast<unsigned>((p.rows + Tile::rows - 1) / Tile::rows);
    const auto rank = static_cast<unsigned>(team.league_rank());
    const unsigned tile = rank / splits, split = rank % splits;
    const std::size_t i0 = std::size_t{tile % tiles_down} * Tile::rows;
    const std::size_t n0 = std::size_t{tile / tiles_down} * Tile::columns;
    const int thread = team.team_rank();

    const Copies<Tile, aligned || shifted ? Pack<T>::size : 1, shifted, T> copies(p, i0, n0,
                                                                                  thread);
    SumsOf<Tile, shifted, T> sums(p, i0, n0, thread);
    const unsigned end = begin_of(split + 1);
    const auto start = [&](int stage, unsigned j) {
      if (j < end) copies.start(stages[stage], j);
      close_copies();
    };
    constexpr int ahead = stage_count - 1;
    unsigned j = begin_of(split);
    ADO_UNROLL
    for (int stage = 0; stage < ahead; ++stage)
      start(stage, j + static_cast<unsigned>(stage * Stage::depth));
    int used = 0, next = ahead;
    for (; j < end; j += Stage::depth) {
      wait_for_copies<ahead - 1>();
      team.team_barrier(); // this stage is there for all, and nobody still uses the previous one
      start(next, j + ahead * Stage::depth);
      sums.add(stages[used]);
      next = used;
      used = used + 1 == stage_count ? 0 : used + 1;
    }
    if constexpr (is_split<Tile>)
      if (splits > 1) return sums.store_split(p, i0, n0, split);
    sums.store(team, p, i0, n0, stages);
  }

private:
  /// First column of a split: whole stages, as even as possible. The last split may end behind the
  /// matrices.
  KOKKOS_FUNCTION unsigned begin_of(unsigned split) const {
    const std::size_t stages = (p.length + Stage::depth - 1) / Stage::depth;
    return static_cast<unsigned>(stages * split / splits * Stage::depth);
  }
};

/// y = the sum of all splits, in their order.
template <class Exec, class T>
void add_splits(const Exec& exec, const Product<T>& p, std::size_t splits) {
  const std::size_t all = p.rows * p.sets;
  Kokkos::parallel_for(
      "ado::average_mv::splits[tuned]",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, all),
      KOKKOS_LAMBDA(std::size_t k) {
        double sum = p.split_sums[k];
        for (std::size_t split = 1; split < splits; ++split)
          sum += p.split_sums[split * all + k];
        p.y[k / p.sets * p.y_row + k % p.sets * p.y_column] = static_cast<T>(sum);
      });
}

template <class Tile, class Exec, class T>
void launch(const Exec& exec, const Product<T>& p) {
  const std::size_t splits = split_count<Tile>(p.length, p.sets_of_all);
  with_constant<0, 1>(on_boundaries<Tile>(p), [&](auto is_aligned) {
    constexpr bool aligned = is_aligned == 1;
    using Kernel =
        std::conditional_t<Tile::by == By::from_memory, FromMemoryTeam<Exec, T, Tile, aligned>,
                           ProductByTiles<Exec, T, Tile, aligned>>;
    typename Kernel::Policy policy(exec, league_size(tile_count<Tile>(p.rows, p.sets) * splits),
                                   Tile::threads);
    set_scratch(policy, 0, Kernel::scratch_bytes + 16);
    Kernel kernel{p};
    if constexpr (is_split<Tile>) kernel.splits = static_cast<unsigned>(splits);
    Kokkos::parallel_for("ado::average_mv::product[tuned]", policy, kernel);
  });
  if (splits > 1) add_splits(exec, p, splits);
}

/// Launches the kernels; asynchronous on `exec`.
template <class Exec, class T>
void multiply(const Exec& exec, const Product<T>& p) {
  with_tile<T, tensor_cores_multiply<Exec, T>>(p.length, p.sets_of_all,
                                               [&]<class Tile>() { launch<Tile>(exec, p); });
}

} // namespace ado::detail::device_product
