// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv on a GPU for sets of few short vectors, both steps in one kernel:
//   mapping   league: 16 sets a team; averaging: a vector to 1, 4 or 16 lanes of a thread by its
//             length; product: a thread an element of y, sets side by side
//   scratch   the means of the sets
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

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace ado::device_small {

inline constexpr std::size_t sets_per_team = 16;
inline constexpr std::size_t most_vectors = 32, most_lanes = 16;
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
  using Member = typename Teams<Exec, resident_teams>::member_type;

  VectorsRef<T> v;
  Product<T> p;

  /// One element apart from a power of two, so that lanes which read one below the other meet
  /// different banks.
  static std::size_t scratch_bytes(std::size_t length) {
    return sets_per_team * (length + 1) * sizeof(T);
  }

  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const auto length = static_cast<int>(p.length), stride = length + 1;
    const std::size_t first = std::size_t(team.league_rank()) * sets_per_team;
    const auto sets = static_cast<int>(Kokkos::min(p.sets - first, std::size_t{sets_per_team}));
    auto* const mean = static_cast<T*>(
        team.team_scratch(0).get_shmem_aligned(sets_per_team * stride * sizeof(T), 16));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, sets * length), [&](int r) {
      const int set = r / length, l = r - set * length;
      const T sum =
          lanes_sum<T, lanes>(team, v.vector(first + set, l), v.count, wide, Identity<T>{});
      Kokkos::single(Kokkos::PerThread(team),
                     [&] { mean[set * stride + l] = sum / static_cast<T>(v.count); });
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, sets * length), [&](int e) {
      const int i = e / sets, set = e - i * sets;
      T sum = 0;
      for (int j = 0; j < length; ++j)
        sum += p.a[i * p.lda + j] * mean[set * stride + j];
      p.y[i * p.y_row + (first + set) * p.y_column] = sum;
    });
  }
};

/// Launches the kernel; asynchronous on `exec`.
template <class Exec, class T>
void average_and_multiply(const Exec& exec, const VectorsRef<T>& v, const RowMapping& map,
                          const Product<T>& p) {
  with_row_constants<Exec>(map.lanes, v.wide(), [&](auto lanes, auto wide) {
    if constexpr (lanes() <= int(most_lanes)) {
      using Kernel = SmallSets<Exec, T, lanes, wide>;
      auto policy = teams<Kernel::resident_teams>(exec, ceil_div(p.sets, sets_per_team), lanes);
      policy.set_scratch_size(
          0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes(p.length) + 16)));
      Kokkos::parallel_for("ado::average_mv::small_sets[team]", policy, Kernel{v, p});
    }
  });
}

} // namespace ado::device_small
