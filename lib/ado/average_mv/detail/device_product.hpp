// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Product of average_mv on a GPU: y[i][n] = sum over j of a[i][j] * mean[n][j]
//   mapping   league: tiles of y in registers, summed by a team's threads (fma_sums.hpp) or, if there are
//             any, by its warps' tensor cores (mma_sums.hpp)
//   scratch   two or three slices of 64 to 256 bytes of every row of a and of mean that the tile
//             needs: one is used while the next ones are copied (device_slices.hpp)
//   bytes     reads a and mean once per row or column of tiles, from cache; writes y once
#pragma once

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

template <class Tile, class T>
using SumsOf = std::conditional_t<Tile::by_tensor_cores, MmaSums<Tile, T>, FmaSums<Tile, T>>;

/// wide: rows of a and of mean are multiples of 16 bytes long and start on boundaries of 16.
template <class Exec, class T, class Tile, bool wide>
struct ProductTeam {
  using Policy = Teams<Exec, Tile::template resident_teams<T>, Tile::threads>;
  using Member = typename Policy::member_type;
  using Slice = device_product::Slice<Tile, T>;
  static constexpr int slice_count = Tile::slice_count;
  static constexpr std::size_t scratch_bytes = slice_count * sizeof(Slice);

  Product<T> p;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    void* const scratch = team.team_scratch(0).get_shmem_aligned(std::size_t{scratch_bytes}, 16);
    auto* const slices = static_cast<Slice*>(scratch);
    const auto tiles_down = static_cast<unsigned>((p.rows + Tile::rows - 1) / Tile::rows);
    const auto rank = static_cast<unsigned>(team.league_rank());
    const std::size_t i0 = std::size_t{rank % tiles_down} * Tile::rows;
    const std::size_t n0 = std::size_t{rank / tiles_down} * Tile::columns;
    const int thread = team.team_rank();

    const Copies<Tile, wide ? Pack<T>::size : 1, T> copies(p, i0, n0, thread);
    SumsOf<Tile, T> sums(thread);
    const auto start = [&](int slice, std::size_t j) {
      if (j < p.length) copies.start(slices[slice], j);
      close_copies();
    };
    constexpr int ahead = slice_count - 1;
    ADO_UNROLL
    for (int slice = 0; slice < ahead; ++slice)
      start(slice, static_cast<std::size_t>(slice * Slice::depth));
    int used = 0, next = ahead;
    for (std::size_t j = 0; j < p.length; j += Slice::depth) {
      wait_for_copies<ahead - 1>();
      team.team_barrier(); // this slice is there for all, and nobody still uses the previous one
      start(next, j + ahead * Slice::depth);
      sums.add(slices[used]);
      next = used;
      used = used + 1 == slice_count ? 0 : used + 1;
    }
    sums.store(team, p, i0, n0, slices);
  }
};

template <class Tile, class Exec, class T>
void launch(const Exec& exec, const Product<T>& p) {
  constexpr std::size_t pack = Pack<T>::size;
  const bool wide =
      aligned_to_pack(p.a) && aligned_to_pack(p.mean) && p.lda % pack == 0 && p.length % pack == 0;
  with_constant<0, 1>(wide, [&](auto is_wide) {
    using Kernel = ProductTeam<Exec, T, Tile, is_wide == 1>;
    typename Kernel::Policy policy(exec, league_size(tile_count<Tile>(p.rows, p.sets)),
                                   Tile::threads);
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes + 16)));
    Kokkos::parallel_for("ado::average_mv::product[team]", policy, Kernel{p});
  });
}

/// Launches the kernel; asynchronous on `exec`.
template <class Exec, class T>
void multiply(const Exec& exec, const Product<T>& p) {
  with_tile<T, tensor_cores_multiply<Exec, T>>(p.length, p.sets_of_all,
                                               [&]<class Tile>() { launch<Tile>(exec, p); });
}

} // namespace ado::detail::device_product
