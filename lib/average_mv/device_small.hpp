// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv on a GPU for sets of few short vectors, both steps in one kernel:
//   mapping   league: 16 sets a team; averaging: a vector to 1, 4 or 16 threads by its length;
//             product: a thread an element of y, sets side by side
//   scratch   the means of the sets; one number a thread, twice, for sums over threads
//   bytes     reads v once, writes y once; a from cache
//   teaches   where a tile of the product would be mostly empty and the means are as large as what
//             they are made of, they had better not go to memory
#pragma once

#include <ado/average/vectors.hpp>
#include <ado/average_mv/product_arrays.hpp>
#include <ado/core/checks.hpp>
#include <ado/portable/launch.hpp>
#include <ado/portable/rows.hpp>
#include <ado/portable/sum.hpp>
#include <ado/portable/team_sums.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::device_small {

inline constexpr std::size_t sets_per_team = 16;
inline constexpr std::size_t most_vectors = 16, most_lanes = 16;
/// Fewer would leave multiprocessors without a team. H200, 1024 sets of 16 x 256 f32: 0.024 ms,
/// by hand 0.013; averaging and cuBLAS take 0.0095.
inline constexpr std::size_t least_sets = 8192;

/// Whether this kernel is the one for `sets` sets of `length` vectors that `map` maps to lanes.
inline bool fits(std::size_t sets, std::size_t length, const RowMapping& map) {
  return sets >= least_sets && length <= most_vectors && std::size_t(map.lanes) <= most_lanes;
}

template <class Exec, class T, int lanes, bool wide>
struct SmallSets {
  static constexpr int resident_teams = 4;
  static constexpr int threads = team_threads<Exec>, groups = threads / lanes;
  using Member = typename Teams<Exec, resident_teams>::member_type;

  VectorsRef<T> v;
  Product<T> p;

  /// Means of a set are one element apart from a power of two, so that threads which read one below
  /// the other meet different banks.
  static KOKKOS_FUNCTION std::size_t scratch_bytes(std::size_t length) {
    return (sets_per_team * (length + 1) + 2 * sums_scratch<threads>)*sizeof(T);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto length = static_cast<unsigned>(p.length), stride = length + 1;
    const std::size_t first = std::size_t(team.league_rank()) * sets_per_team;
    const auto sets =
        static_cast<unsigned>(Kokkos::min(p.sets - first, std::size_t{sets_per_team}));
    auto* const scratch =
        static_cast<T*>(team.team_scratch(0).get_shmem_aligned(scratch_bytes(length), 16));
    T* const mean = scratch + 2 * sums_scratch<threads>;
    const auto thread = static_cast<unsigned>(team.team_rank());
    int used = 0; // of two scratches in turn: while one is read, the other is written
    for (unsigned start = 0; start < sets * length; start += groups, used ^= 1) {
      T sum = 0;
      if (const unsigned row = start + thread / lanes; row < sets * length) {
        const unsigned set = row / length, l = row - set * length;
        sum = lane_share<lanes>(thread % lanes, v.vector(first + set, l), v.count, wide,
                                Identity<T>{});
      }
      sum = group_sum<lanes, threads>(team, sum, scratch + used * sums_scratch<threads>);
      if (const unsigned row = start + thread; thread < groups && row < sets * length) {
        const unsigned set = row / length;
        mean[set * stride + row - set * length] = sum / static_cast<T>(v.count);
      }
    }
    team.team_barrier();
    for (unsigned e = thread; e < sets * length; e += threads) {
      const unsigned i = e / sets, set = e - i * sets;
      const T* const a = p.a + i * p.lda;
      T sum = 0;
      for (unsigned j = 0; j < length; ++j)
        sum += a[j] * mean[set * stride + j];
      p.y[i * p.y_row + (first + set) * p.y_column] = sum;
    }
  }
};

/// Launches the kernel; asynchronous on `exec`.
template <class Exec, class T>
void average_and_multiply(const Exec& exec, const VectorsRef<T>& v, const RowMapping& map,
                          const Product<T>& p) {
  with_row_constants<Exec>(map.lanes, v.wide(), [&](auto lanes, auto wide) {
    if constexpr (lanes() <= int(most_lanes)) {
      using Kernel = SmallSets<Exec, T, lanes, wide>;
      auto policy = teams<Kernel::resident_teams>(exec, ceil_div(p.sets, sets_per_team));
      policy.set_scratch_size(
          0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes(p.length) + 16)));
      Kokkos::parallel_for("ado::average_mv::small_sets[team]", policy, Kernel{v, p});
    }
  });
}

} // namespace ado::device_small
