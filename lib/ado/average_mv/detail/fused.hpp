// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv on a GPU for many sets of few short vectors, both steps in one kernel:
//   mapping   league: all rows of y for some sets; averaging: several vectors per thread; product:
//             the tensor cores of a team's warps (product/mma.hpp)
//   scratch   a, and below it the means of the sets
//   bytes     reads v once, writes y once; reads a from cache, once per team
//   teaches   means that are as large as the vectors they come from should not go through memory.
//             While one team multiplies, another one reads
#pragma once

#include <ado/average/detail/vectors.hpp>
#include <ado/average_mv/detail/product/mma.hpp>
#include <ado/average_mv/detail/product/plan.hpp>
#include <ado/average_mv/detail/product/stages.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/async_copy.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/sum.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::detail::device_fused {

using namespace fused_plan;

inline constexpr int long_packs = loads_in_flight; ///< see FusedSets

/// packs: a vector is at most this many loads of 16 bytes; long_packs: any number; 0: single
/// elements.
template <class Exec, class T, class Tile, int packs>
struct FusedSets {
  static constexpr bool several = packs > 0 && packs < long_packs; ///< vectors per thread at once
  static constexpr int threads = Tile::threads, resident_teams = (several ? 1024 : 768) / threads;
  using Policy = Teams<Exec, resident_teams, threads>;
  using Member = typename Policy::member_type;
  using Stage = product_plan::Stage<Tile, T>;
  static constexpr std::size_t scratch_bytes = sizeof(Stage);

  VectorsRef<T> v;
  Product<T> p;

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    void* const scratch = team.team_scratch(0).get_shmem_aligned(std::size_t{scratch_bytes}, 16);
    auto& stage = *static_cast<Stage*>(scratch);
    const auto thread = static_cast<unsigned>(team.team_rank());
    const std::size_t first = std::size_t(team.league_rank()) * Tile::columns;
    start_copying_a(thread, stage);
    const auto sets =
        static_cast<unsigned>(Kokkos::min(p.sets - first, std::size_t{Tile::columns}));
    ADO_UNROLL_BY(1)
    for (int set = 0; set < Tile::columns; set += at_once * sets_apart)
      average(thread % pitch, first, thread / pitch + set, sets, stage);
    wait_for_copies<0>();
    team.team_barrier();
    device_product::MmaSums<Tile, false, T> sums(p, 0, first, static_cast<int>(thread));
    sums.add(stage);
    sums.store(team, p, 0, first, &stage);
  }

private:
  /// Lines and columns that the tensor cores take; beyond a and beyond the means they are 0.
  static constexpr int pitch = Tile::rows;
  /// All vectors of a thread have the same l. Eight loads should be in flight, from several vectors
  /// if need be.
  static constexpr int sets_apart = threads / pitch, vectors = Tile::columns / sets_apart;
  static constexpr int most_at_once = several ? loads_in_flight / packs : 1;
  static constexpr int at_once = most_at_once < vectors ? most_at_once : vectors;

  KOKKOS_FUNCTION void start_copying_a(unsigned thread, Stage& stage) const {
    ADO_UNROLL_BY(4)
    for (unsigned e = thread; e < pitch * pitch; e += threads) {
      const unsigned i = e / pitch, j = e % pitch;
      const bool valid = i < p.length && j < p.length;
      start_copy<static_cast<int>(sizeof(T))>(&stage.element[i][j],
                                              valid ? p.a + i * p.lda + j : nullptr, valid);
    }
    close_copies();
  }
  /// Means of vector l in sets `set`, `set` + sets_apart and so on of the team's `sets` sets.
  KOKKOS_FUNCTION void average(unsigned l, std::size_t first, unsigned set, unsigned sets,
                               Stage& stage) const {
    const auto there = [&](int k) { return l < p.length && set + k * sets_apart < sets; };
    T sum[at_once] = {};
    if constexpr (several) {
      const auto used = static_cast<int>(v.count / Pack<T>::size);
      Pack<T> loaded[at_once][packs];
      ADO_UNROLL
      for (int k = 0; k < at_once; ++k) {
        const T* const vector = v.vector(first + set + k * sets_apart, l);
        ADO_UNROLL
        for (int q = 0; q < packs; ++q)
          loaded[k][q] =
              there(k) && q < used ? reinterpret_cast<const Pack<T>*>(vector)[q] : Pack<T>{};
      }
      ADO_UNROLL
      for (int k = 0; k < at_once; ++k) {
        ADO_UNROLL
        for (int q = 0; q < packs; ++q)
          sum[k] += Identity<T>{}(loaded[k][q], 0);
      }
    } else if (there(0)) {
      sum[0] = lane_share<1>(0, v.vector(first + set, l), v.count, packs > 0, Identity<T>{});
    }
    ADO_UNROLL
    for (int k = 0; k < at_once; ++k)
      stage.element[Tile::rows + set + k * sets_apart][l] =
          there(k) ? sum[k] / static_cast<T>(v.count) : 0;
  }
};

template <class Tile, int packs, class Exec, class T>
void launch(const Exec& exec, const VectorsRef<T>& v, const Product<T>& p) {
  using Kernel = FusedSets<Exec, T, Tile, packs>;
  typename Kernel::Policy policy(exec, league_size(ceil_div(p.sets, Tile::columns)), Tile::threads);
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes + 16)));
  Kokkos::parallel_for("ado::average_mv::fused[tuned]", policy, Kernel{v, p});
}

/// `packs` for these vectors.
template <class T>
int loads_of_a_vector(const VectorsRef<T>& v) {
  const std::size_t packs = v.count / Pack<T>::size;
  if (!v.wide() || v.count % Pack<T>::size != 0 || packs == 0) return 0;
  return packs <= 2 ? static_cast<int>(packs) : packs <= 4 ? 4 : long_packs;
}

/// Launches the kernel; asynchronous on `exec`. `mean` of p is not used.
template <class Exec, class T>
void average_and_multiply(const Exec& exec, const VectorsRef<T>& v, const Product<T>& p) {
  with_tile<T>(p.length, p.sets_of_all, [&]<class Tile>() {
    with_constant<0, 1, 2, 4, long_packs>(loads_of_a_vector(v),
                                          [&](auto packs) { launch<Tile, packs>(exec, v, p); });
  });
}

} // namespace ado::detail::device_fused
