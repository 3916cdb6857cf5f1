// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of `team`, which ado::average_mv calls. Its card: kokkos/team.cpp. First the means, as in average;
// then the product y[i][n] = sum over j of a[i][j] * mean[n][j]:
//   mapping   league: tiles of y. host: one thread, SIMD along the sets (host_product.hpp);
//             device: device_product.hpp
//   scratch   host: a packed panel of means
//   bytes     reads a and mean once per row or column of tiles, from cache; writes y once
#pragma once

#include <ado/average/detail/team.hpp>
#include <ado/average_mv/detail/device_fused.hpp>
#include <ado/average_mv/detail/device_product.hpp>
#include <ado/average_mv/detail/host_product.hpp>
#include <ado/portable/launch.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace ado::detail {

/// On a host a team is one thread and takes a tile of y.
template <class Exec, class T>
struct ProductTeam {
  static constexpr std::size_t scratch_bytes = host_product::panel_size<T> * sizeof(T);
  Product<T> p;

  void operator()(const typename Teams<Exec>::member_type& team) const {
    void* panel = team.team_scratch(0).get_shmem_aligned(std::size_t{scratch_bytes}, 64);
    host_product::multiply_tile(p, team.league_rank(), static_cast<T*>(panel));
  }
};

/// Launches the product; asynchronous on `exec`.
template <class Exec, class T>
void product_team(const Exec& exec, const Product<T>& p) {
  if (p.rows == 0 || p.sets == 0) return;
  if constexpr (runs_on_host<Exec>) {
    using Kernel = ProductTeam<Exec, T>;
    // Threads take tiles as they go. Dealt out beforehand, 88 tiles would be 5 or 6 for each of 16
    // threads. Two cores of an AMD EPYC, ms, dealt out and one by one: 200 sets of 500 x 4 f32 1.60,
    // 1.29; 704 of 704 x 4 6.8, 6.5.
    Kokkos::TeamPolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>
        policy(exec, league_size(host_product::tile_count(p)), 1);
    policy.set_chunk_size(static_cast<int>(host_product::tiles_at_once(p)));
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(Kernel::scratch_bytes + 64)));
    Kokkos::parallel_for("ado::average_mv::product[team]", policy, Kernel{p});
  } else {
    device_product::multiply(exec, p);
  }
}

/// Launches both steps, in order on `exec`. The means go to `mean`; `partial` as in average_team.
template <class Exec, class T>
void average_mv_team(const Exec& exec, const VectorsRef<T>& v, T* partial, T* mean, Product<T> p) {
  if constexpr (tensor_cores_multiply<Exec, T>)
    if (fused_plan::fits<T>(p.sets_of_all, v.length, v.count))
      return device_fused::average_and_multiply(exec, v, p);
  average_team(exec, v, mean, v.length, partial);
  p.mean = mean;
  product_team(exec, p);
}

} // namespace ado::detail
