// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of `team`, which ado::average_mv calls. Its card: kokkos/team.cpp. First the means, as in average;
// then the product y[i][n] = sum over j of a[i][j] * mean[n][j]:
//   mapping   league: tiles of y. host: one thread, SIMD along the sets (host_product.hpp);
//             device: device_product.hpp. Many sets on a host: both steps by one team for some sets (host_sets.hpp)
//   scratch   host: packed panels of means
//   bytes     reads a and mean once per row or column of tiles, from cache; writes y once
#pragma once

#include <ado/average/detail/team.hpp>
#include <ado/average_mv/detail/device_fused.hpp>
#include <ado/average_mv/detail/device_product.hpp>
#include <ado/average_mv/detail/host_product.hpp>
#include <ado/average_mv/detail/host_sets.hpp>
#include <ado/portable/host_tasks.hpp>
#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ado::detail {

/// On a host a team is one thread and takes a tile of y.
template <class Exec, class T>
struct ProductTeam {
  static constexpr std::size_t scratch_bytes = host_product::panels_size<T> * sizeof(T);
  Product<T> p;
  host_product::Tiles tiles;

  void operator()(const typename Teams<Exec>::member_type& team) const {
    void* panels = team.team_scratch(0).get_shmem_aligned(std::size_t{scratch_bytes}, 64);
    host_product::multiply_tile(p, tiles, team.league_rank(), static_cast<T*>(panels));
  }
  /// Without a team, where panels are small.
  void operator()(std::int64_t tile) const {
    alignas(64) T panels[host_product::small_panels_size<T>];
    host_product::multiply_tile(p, tiles, static_cast<std::size_t>(tile), panels);
  }
};

/// Teams of one thread, each with so much scratch. Threads take `chunk` of them at a time, as they go: dealt out
/// beforehand, 88 tiles would be 5 or 6 for each of 16 threads.
template <class Exec>
auto teams_in_turn(const Exec& exec, std::size_t count, std::size_t chunk,
                   std::size_t scratch_bytes) {
  Kokkos::TeamPolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>
      policy(exec, league_size(count), 1);
  policy.set_chunk_size(static_cast<int>(chunk));
  policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(scratch_bytes)));
  return policy;
}

template <class Exec, class T>
void product_on_host(const Exec& exec, const Product<T>& p) {
  const auto threads = static_cast<std::size_t>(exec.concurrency());
  const ProductTeam<Exec, T> kernel{p, host_product::tiles_of(p, threads)};
  const char* label = "ado::average_mv::product[team]";
  if (host_product::has_small_panels(p)) return host_tasks(label, exec, kernel.tiles.count, kernel);
  const std::size_t chunk = host_product::tiles_at_once(p, kernel.tiles, threads);
  Kokkos::parallel_for(
      label, teams_in_turn(exec, kernel.tiles.count, chunk, kernel.scratch_bytes + 64), kernel);
}

/// Launches the product; asynchronous on `exec`.
template <class Exec, class T>
void product_team(const Exec& exec, const Product<T>& p) {
  if (p.rows == 0 || p.sets == 0) return;
  if constexpr (runs_on_host<Exec>)
    product_on_host(exec, p);
  else
    device_product::multiply(exec, p);
}

/// Both steps for some sets; a team is one thread of a host.
template <class Exec, class T>
struct SetsTeam {
  VectorsRef<T> v;
  Product<T> p;
  std::size_t at_once;
  bool stream;

  std::size_t means_bytes() const { return at_once * v.length * sizeof(T); } ///< their panels, too
  void operator()(const typename Teams<Exec>::member_type& team) const {
    const auto scratch = team.team_scratch(0);
    auto* const panels = static_cast<T*>(scratch.get_shmem_aligned(means_bytes(), 64));
    auto* const means = static_cast<T*>(scratch.get_shmem_aligned(means_bytes(), 64));
    const std::size_t n = std::size_t(team.league_rank()) * at_once;
    VectorsRef<T> mine = v;
    mine.data = v.vector(n, 0);
    mine.sets = std::min(at_once, v.sets - n);
    const std::size_t sets = mine.sets, rows = sets * v.length;
    mine = joined_sets(mine, v.length);
    const std::size_t together = host_block_rows(rows, v.count, sizeof(T));
    for (std::size_t row = 0; row < rows; row += together)
      average_block(mine, row, std::min(row + together, rows), means, v.length, false);
    host_sets::multiply(p, n, sets, means, panels, stream);
  }
};

template <class Exec, class T>
void average_mv_sets(const Exec& exec, const SetsTeam<Exec, T>& kernel) {
  const std::size_t tasks = ceil_div(kernel.v.sets, kernel.at_once);
  Kokkos::parallel_for("ado::average_mv[team]",
                       teams_in_turn(exec, tasks, 1, 2 * (kernel.means_bytes() + 64)), kernel);
}

/// Launches both steps, in order on `exec`. The means go to `mean`; `partial` as in average_team.
template <class Exec, class T>
void average_mv_team(const Exec& exec, const VectorsRef<T>& v, T* partial, T* mean, Product<T> p) {
  if constexpr (tensor_cores_multiply<Exec, T>)
    if (fused_plan::fits<T>(p.sets_of_all, v.length, v.count))
      return device_fused::average_and_multiply(exec, v, p);
  if constexpr (runs_on_host<Exec>) {
    const auto threads = static_cast<std::size_t>(exec.concurrency());
    const std::size_t at_once = host_sets::sets_at_once<T>(v.sets, v.length, v.count, threads);
    const bool whole_rows =
        map_rows(true, v.all, v.count, sizeof(T)).pieces == 1 && v.all >= host_rows_at_once;
    if (at_once != 0 && whole_rows)
      return average_mv_sets(exec, SetsTeam<Exec, T>{v, p, at_once, host_sets::streams(p)});
  }
  average_team(exec, v, mean, v.length, partial);
  p.mean = mean;
  product_team(exec, p);
}

} // namespace ado::detail
