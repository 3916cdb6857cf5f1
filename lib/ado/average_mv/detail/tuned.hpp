// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of `tuned`, which ado::average_mv calls. Its card: kokkos/tuned.cpp. First the means,
// as in average; then the product y[i][n] = sum over j of a[i][j] * mean[n][j]:
//   mapping   league: tiles of y. host: one thread, SIMD along the sets (product/host.hpp); device:
//             product/device.hpp. Many sets on a host: both steps by one team for some sets
//             (host_sets.hpp)
//   scratch   host: packed panels of means
//   bytes     reads a and mean once per row or column of tiles, from cache; writes y once
#pragma once

#include <ado/average/average.hpp>
#include <ado/average_mv/detail/fused.hpp>
#include <ado/average_mv/detail/host_sets.hpp>
#include <ado/average_mv/detail/product/device.hpp>
#include <ado/average_mv/detail/product/host.hpp>
#include <ado/host/thread_memory.hpp>
#include <ado/portable/host_tasks.hpp>
#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ado::detail {

/// A thread of a host takes a tile of y.
template <class T>
struct ProductTiles {
  Product<T> p;
  host_product::Tiles tiles;

  void operator()(std::int64_t tile) const {
    host_product::multiply_tile(p, tiles, static_cast<std::size_t>(tile));
  }
};

template <class Exec, class T>
void product_on_host(const Exec& exec, const Product<T>& p) {
  const std::size_t threads = threads_of(exec);
  const host_product::Tiles tiles = host_product::tiles_of(p, threads);
  const std::size_t chunk = host_product::tiles_at_once(p, tiles, threads);
  host_tasks_in_turn("ado::average_mv::product[tuned]", exec, tiles.count, chunk,
                     ProductTiles<T>{p, tiles});
}

/// Launches the product; asynchronous on `exec`.
template <class Exec, class T>
void product_tuned(const Exec& exec, const Product<T>& p) {
  if (p.rows == 0 || p.sets == 0) return;
  if constexpr (runs_on_host<Exec>)
    product_on_host(exec, p);
  else
    device_product::multiply(exec, p);
}

/// Both steps for some sets, by one thread of a host.
template <class Exec, class T>
struct SetsTeam {
  static constexpr std::size_t small = 32 * 1024 / sizeof(T); ///< means that need no team's scratch
  struct alignas(64) Memory {
    T means[small], panels[small];
  };

  VectorsRef<T> v;
  Product<T> p;
  std::size_t at_once;
  bool stream;

  std::size_t means_size() const { return at_once * v.length; } ///< their panels', too
  void operator()(const typename Teams<Exec>::member_type& team) const {
    const auto scratch = team.team_scratch(1);
    const std::size_t bytes = means_size() * sizeof(T);
    auto* const panels = static_cast<T*>(scratch.get_shmem_aligned(bytes, 64));
    auto* const means = static_cast<T*>(scratch.get_shmem_aligned(bytes, 64));
    average_and_multiply(static_cast<std::size_t>(team.league_rank()), means, panels);
  }
  /// Without a team, where means are few.
  void operator()(std::int64_t task) const {
    auto& [means, panels] = memory_of_thread<Memory>();
    average_and_multiply(static_cast<std::size_t>(task), means, panels);
  }

private:
  void average_and_multiply(std::size_t task, T* means, T* panels) const {
    const std::size_t n = task * at_once;
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
  const char* label = "ado::average_mv[tuned]";
  if (kernel.means_size() <= kernel.small) return host_tasks_in_turn(label, exec, tasks, 1, kernel);
  Kokkos::TeamPolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>
      policy(exec, league_size(tasks), 1);
  policy.set_chunk_size(1);
  const std::size_t bytes = kernel.means_size() * sizeof(T) + 64;
  set_scratch(policy, 1, 2 * bytes); // a host has 32 KiB of level 0
  Kokkos::parallel_for(label, policy, kernel);
}

/// Launches both steps, in order on `exec`. The means go to `mean`; `partial` as in average_tuned.
template <class Exec, class T>
void average_mv_tuned(const Exec& exec, const VectorsRef<T>& v, T* partial, T* mean, Product<T> p) {
  if constexpr (tensor_cores_multiply<Exec, T>)
    if (fused_plan::fits<T>(p.sets_of_all, v.length, v.count))
      return device_fused::average_and_multiply(exec, v, p);
  if constexpr (runs_on_host<Exec>) {
    const std::size_t threads = threads_of(exec);
    const std::size_t at_once = host_sets::sets_at_once<T>(v.sets, v.length, v.count, threads);
    const bool whole_rows =
        map_rows(true, v.all, v.count, sizeof(T)).pieces == 1 && v.all >= host_rows_at_once;
    if (at_once != 0 && whole_rows)
      return average_mv_sets(exec, SetsTeam<Exec, T>{v, p, at_once, host_sets::streams(p)});
  }
  average_tuned(exec, v, mean, v.length, partial);
  p.mean = mean;
  product_tuned(exec, p);
}

/// Bytes of workspace: that of average, the means, and the sums of splits.
inline std::size_t average_mv_bytes(std::size_t sets, std::size_t length,
                                    std::size_t element_bytes) {
  const char* what = "ado::average_mv: workspace";
  return round_up(average_workspace_bytes(element_bytes), 256) +
         round_up(checked_product({sets, length, element_bytes}, what), 256) +
         round_up(product_plan::split_bytes(length, sets, length), 256);
}

/// average_mv of a View `v` of any strides, whose vectors are `vectors`. `memory`:
/// average_mv_bytes(), where p finds its means and the sums of splits.
template <class Exec, class V, class T>
void average_mv_part(const Exec& exec, const V& v, const VectorsRef<T>& vectors, Product<T> p,
                     T* memory) {
  if (p.length == 0 || p.sets == 0) return;
  T* const mean = memory + round_up(average_workspace_bytes(sizeof(T)), 256) / sizeof(T);
  T* const behind = mean + round_up(p.sets * p.length * sizeof(T), 256) / sizeof(T);
  p.mean = mean;
  p.split_sums = reinterpret_cast<double*>(behind);
  if (has_contiguous_vectors(v)) return average_mv_tuned(exec, vectors, memory, mean, p);
  average_any_strides(exec, v, mean, p.length, 1);
  product_tuned(exec, p);
}

} // namespace ado::detail
