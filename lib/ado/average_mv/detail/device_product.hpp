// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Product of average_mv on a GPU: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   league: tiles of y in registers, summed by a team's threads (fma_sums.hpp) or, if
//             there are any, by its warps' tensor cores (mma_sums.hpp). Where tiles are few: a team
//             for each part of the columns of a, or a warp for each of its pieces
//             (device_groups.hpp)
//   scratch   two or three slices of 64 to 256 bytes of every row of a and of mean that the tile
//             needs: one is used while the next ones are copied (device_slices.hpp)
//   bytes     reads a and mean once per row or column of tiles, from cache; writes y once, and
//             before that the sums of all parts
#pragma once

#include <ado/average_mv/detail/device_groups.hpp>
#include <ado/average_mv/detail/device_slices.hpp>
#include <ado/average_mv/detail/fma_sums.hpp>
#include <ado/average_mv/detail/mma_sums.hpp>
#include <ado/average_mv/detail/plan.hpp>
#include <ado/portable/async_copy.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/pack.hpp>
#include <ado/portable/tensor_cores.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <type_traits>

namespace ado::detail::device_product {

using namespace product_plan;

template <class Tile, bool shifted, class T>
using SumsOf =
    std::conditional_t<Tile::by_tensor_cores, MmaSums<Tile, shifted, T>, FmaSums<Tile, T>>;

/// wide: rows of a and of mean are on_boundaries().
template <class Exec, class T, class Tile, bool wide>
struct ProductTeam {
  using Policy = Teams<Exec, Tile::template resident_teams<T>, Tile::threads>;
  using Member = typename Policy::member_type;
  using Slice = device_product::Slice<Tile, T>;
  static constexpr int slice_count = Tile::slice_count;
  static constexpr std::size_t scratch_bytes = slice_count * sizeof(Slice);
  /// Copies of 4 bytes are slow, so floats take packs of 16 bytes, also from boundaries where no
  /// row begins. Doubles would read scratch with conflicts then, and copies of 8 bytes cost less.
  static constexpr bool shifted = !wide && Tile::by_tensor_cores && sizeof(T) == 4;

  Product<T> p;
  unsigned parts;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    void* const scratch = team.team_scratch(0).get_shmem_aligned(std::size_t{scratch_bytes}, 16);
    auto* const slices = static_cast<Slice*>(scratch);
    const auto tiles_down = static_cast<unsigned>((p.rows + Tile::rows - 1) / Tile::rows);
    const auto rank = static_cast<unsigned>(team.league_rank());
    const unsigned tile = rank / parts, part = rank % parts;
    const std::size_t i0 = std::size_t{tile % tiles_down} * Tile::rows;
    const std::size_t n0 = std::size_t{tile / tiles_down} * Tile::columns;
    const int thread = team.team_rank();

    const Copies<Tile, wide || shifted ? Pack<T>::size : 1, shifted, T> copies(p, i0, n0, thread);
    SumsOf<Tile, shifted, T> sums(p, i0, n0, thread);
    const unsigned end = begin_of(part + 1);
    const auto start = [&](int slice, unsigned j) {
      if (j < end) copies.start(slices[slice], j);
      close_copies();
    };
    constexpr int ahead = slice_count - 1;
    unsigned j = begin_of(part);
    ADO_UNROLL
    for (int slice = 0; slice < ahead; ++slice)
      start(slice, j + static_cast<unsigned>(slice * Slice::depth));
    int used = 0, next = ahead;
    for (; j < end; j += Slice::depth) {
      wait_for_copies<ahead - 1>();
      team.team_barrier(); // this slice is there for all, and nobody still uses the previous one
      start(next, j + ahead * Slice::depth);
      sums.add(slices[used]);
      next = used;
      used = used + 1 == slice_count ? 0 : used + 1;
    }
    if constexpr (Tile::by_tensor_cores)
      if (parts > 1) return sums.store_part(p, i0, n0, part);
    sums.store(team, p, i0, n0, slices);
  }

private:
  /// First column of a part: whole slices, as even as possible. The last part may end behind the
  /// matrices.
  KOKKOS_FUNCTION unsigned begin_of(unsigned part) const {
    const std::size_t slices = (p.length + Slice::depth - 1) / Slice::depth;
    return static_cast<unsigned>(slices * part / parts * Slice::depth);
  }
};

/// y = the sum of all parts, in their order.
template <class Exec, class T>
void add_parts(const Exec& exec, const Product<T>& p, std::size_t parts) {
  const std::size_t all = p.rows * p.sets;
  Kokkos::parallel_for(
      "ado::average_mv::parts[tuned]",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, all),
      KOKKOS_LAMBDA(std::size_t k) {
        double sum = p.partial[k];
        for (std::size_t part = 1; part < parts; ++part)
          sum += p.partial[part * all + k];
        p.y[k / p.sets * p.y_row + k % p.sets * p.y_column] = static_cast<T>(sum);
      });
}

template <class Tile, class Exec, class T>
void launch(const Exec& exec, const Product<T>& p) {
  const std::size_t tiles = tile_count<Tile>(p.rows, p.sets);
  const std::size_t parts = part_count<Tile>(p.length, p.sets_of_all);
  const bool wide = on_boundaries<Tile>(p.a, p.lda, p.mean, p.length);
  with_constant<0, 1>(wide, [&](auto is_wide) {
    if constexpr (Tile::from_memory) {
      launch_groups<Tile, is_wide == 1>(exec, p, tiles);
    } else {
      using Kernel = ProductTeam<Exec, T, Tile, is_wide == 1>;
      typename Kernel::Policy policy(exec, league_size(tiles * parts), Tile::threads);
      policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes + 16)));
      Kokkos::parallel_for("ado::average_mv::product[tuned]", policy,
                           Kernel{p, static_cast<unsigned>(parts)});
    }
  });
  if (parts > 1) add_parts(exec, p, parts);
}

/// Launches the kernels; asynchronous on `exec`.
template <class Exec, class T>
void multiply(const Exec& exec, const Product<T>& p) {
  with_tile<T, tensor_cores_multiply<Exec, T>>(p.length, p.sets_of_all,
                                               [&]<class Tile>() { launch<Tile>(exec, p); });
}

} // namespace ado::detail::device_product
