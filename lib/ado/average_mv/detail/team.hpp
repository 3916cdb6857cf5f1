// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// average_mv, kokkos, team: y[i][n] = sum over j of a[i][j] * (mean over m of v[n][j][m])
//   mapping   two kernels: average_team over the N L vectors, then product_team over tiles of y. On
//             a GPU, sets of few short vectors: one kernel for both (device_fused.hpp)
//   scratch   see there and product.hpp; workspace: the N x L means
//   bytes     reads v and a once, writes y once; the means stay in cache where they fit
//   needs     workspace of average_mv_workspace_bytes()
//   teaches   against `flat`: averaging and product want different mappings, so each gets its own
#pragma once

#include <ado/average/detail/team.hpp>
#include <ado/average_mv/detail/device_fused.hpp>
#include <ado/average_mv/detail/product.hpp>

#include <cstddef>

namespace ado {

/// Launches both steps, in order on `exec`. The means go to `mean`; `partial` as in average_team.
template <class Exec, class T>
void average_mv_team(const Exec& exec, const VectorsRef<T>& v, T* partial, T* mean, Product<T> p) {
  if constexpr (tensor_cores_multiply<Exec, T>)
    if (device_fused::fits(v)) return device_fused::average_and_multiply(exec, v, p);
  average_team(exec, v, mean, v.length, partial);
  p.mean = mean;
  product_team(exec, p);
}

template <class Exec, class T>
double average_mv_team_steps(std::size_t sets, std::size_t length, std::size_t count) {
  return average_team_steps<Exec, T>(sets * length, count) +
         product_team_steps<Exec, T>(sets, length);
}

} // namespace ado
